import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { WireError } from "./errors.ts";
import { scanTokens } from "./token-scan.ts";
import type { JsonValue } from "./value.ts";

/**
 * Strict JSON in front of `JSON.parse`, which by itself keeps the last of two equal keys, rounds integers, turns 1e400 into
 * Infinity and lets lone surrogates pass. Each of these lets two readers of one text see two different calls. The rules are
 * those of I-JSON (RFC 7493, 2.1 to 2.3), and a bound on nesting.
 *
 * Throws `WireError` with code `bad_request` for: a byte order mark, invalid UTF-8, JSON's own syntax errors, an object with
 * a key twice, an integer beyond 2^53-1, a number that overflows or underflows a double, a lone surrogate in a string or key
 * (escaped or not), more than 128 levels of nesting.
 */
export const admit = (bytes: Uint8Array): JsonValue => {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decodeText(buffer);
  // Before the parser, so that a bomb of brackets costs no memory.
  const members = scanTokens(buffer);
  const value = parse(text);
  // A text that is valid JSON has one colon a member outside its strings; an object keeps one of two equal keys.
  if (countMembers(value) !== members) throw refuse("an object holds a key twice");
  // Valid UTF-8 holds no surrogate, so a lone one can only have been written as an escape.
  if (text.includes("\\u") && (text.includes("\\ud") || text.includes("\\uD"))) assertWellFormed(value);
  return value;
};

const refuse = (what: string): WireError => new WireError("bad_request", `frame is not valid JSON: ${what}`);

const decodeText = (buffer: Buffer): string => {
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) throw new WireError("bad_request", "frame is not valid UTF-8: it holds an ill-formed sequence");
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) throw refuse("it begins with a byte order mark");
  return buffer.toString("utf8");
};

const parse = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The parser's own message quotes the text.
    throw refuse("syntax error");
  }
};

const countMembers = (value: JsonValue): number => {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = (value as readonly JsonValue[])[i];
      if (typeof item === "object" && item !== null) members += countMembers(item);
    }
    return members;
  }
  const items = Object.values(value);
  members = items.length;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as JsonValue;
    if (typeof item === "object" && item !== null) members += countMembers(item);
  }
  return members;
};

const assertWellFormed = (value: JsonValue): void => {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw refuse("a lone surrogate");
  } else if (Array.isArray(value)) {
    for (const item of value) assertWellFormed(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value as { readonly [key: string]: JsonValue })) {
      if (!key.isWellFormed()) throw refuse("a lone surrogate in a key");
      assertWellFormed(item);
    }
  }
};
