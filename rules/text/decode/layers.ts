import { base32, base64, binary, hex } from "./blobs.ts";
import { codes } from "./codes.ts";
import { entities, escapes, percent } from "./escapes.ts";
import { wrapped } from "./wrapped.ts";

/** What one stretch of a text says once it is decoded. */
export interface Layer {
  readonly kind: "percent" | "entities" | "escapes" | "base64" | "base32" | "hex" | "binary" | "codes";
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where in `text` lies what was encoded; what is around it stood there in plain. */
  readonly from: number;
  readonly to: number;
}

/** A stretch that may hold something: one without spaces, or one of groups of digits. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

/**
 * What is encoded in a text: escapes anywhere, and of the given tokens those that are a text in base64, base32, hexadecimal or binary
 * digits. One layer; whoever wants more asks again with what came out. Linear.
 */
export const layersOf = (text: string, tokens: readonly Token[], groups: readonly Token[]): readonly Layer[] => [
  ...percent(text),
  ...entities(text),
  ...escapes(text),
  ...codes(text),
  ...groups.flatMap((group) => binary(text, group)),
  ...tokens.flatMap((token) => base64(text, token)),
  ...wrapped(text, tokens),
  ...tokens.flatMap((token) => base32(text, token)),
  ...tokens.flatMap((token) => hex(text, token)),
];
