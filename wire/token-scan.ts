import type { Buffer } from "node:buffer";
import { WireError } from "./errors.ts";
import { maxNestingDepth } from "./limits.ts";
import { assertNumberToken } from "./number-token.ts";

/**
 * One pass over the bytes of a JSON text, outside its strings: bounds the depth, checks number tokens, and returns the
 * number of colons. It need not know the grammar, because its count is used only where `JSON.parse` accepts the text. Bytes
 * of UTF-8 beyond ASCII are all above 0x7f, so none is taken for a token. Throws `bad_request`.
 */
export const scanTokens = (bytes: Buffer): number => {
  const length = bytes.length;
  let members = 0;
  let depth = 0;
  let i = 0;
  while (i < length) {
    const byte = bytes[i] as number;
    if (byte === 0x22 /* " */) {
      i = afterString(bytes, i + 1);
    } else if (byte === 0x3a /* : */) {
      members++;
      i++;
    } else if (byte === 0x2c /* , */ || byte === 0x20) {
      i++;
    } else if (byte === 0x2d /* - */ || (byte >= 0x30 && byte <= 0x39)) {
      i = assertNumberToken(bytes, i);
    } else {
      if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
        if (++depth > maxNestingDepth) {
          throw new WireError("bad_request", `frame is nested deeper than ${maxNestingDepth} levels`);
        }
      } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) {
        depth--;
      }
      i++;
    }
  }
  return members;
};

const longestLooped = 48;

/** The index after the closing quote of the string whose first byte is at `start`; the length or more where there is none. */
const afterString = (bytes: Buffer, start: number): number => {
  let i = start;
  for (;;) {
    const near = Math.min(bytes.length, i + longestLooped);
    while (i < near) {
      const byte = bytes[i] as number;
      if (byte === 0x22) return i + 1;
      i += byte === 0x5c ? 2 : 1;
    }
    // A long string: the engine's own search finds the next quote, and the backslashes before it say whether it is
    // escaped. Only those are looked at again, and a quote ends them. Where it is escaped, more may follow closely.
    const quote = bytes.indexOf(0x22, i);
    if (quote === -1) return bytes.length;
    let first = quote;
    while (first > i && bytes[first - 1] === 0x5c) first--;
    i = quote + 1;
    if ((quote - first) % 2 === 0) return i;
  }
};
