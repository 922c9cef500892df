import { assertJson } from "./assert-json.ts";
import { Unrepresentable } from "./errors.ts";
import { inKeyOrder, sortKeys } from "./key-order.ts";
import { maxNestingDepth } from "./limits.ts";
import { describe, tooDeep } from "./plain.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/**
 * Canonical JSON of RFC 8785 (JCS): keys sorted by UTF-16 code units (3.2.3), numbers as ECMAScript writes them
 * (3.2.2.3), strings with the shortest escapes (3.2.2.2), no white space. The text is what is hashed and compared in
 * every client language.
 *
 * Throws `Unrepresentable` for what JSON cannot carry: undefined, NaN, infinities, bigint, functions, symbols, class
 * instances, Map, Set, Date, typed arrays, symbol keys, holes, lone surrogates, and more than 128 levels (which a cycle has).
 */
export const canonical = (value: unknown): string => {
  assertJson(value);
  return canonicalJson(value);
};

/**
 * The same text for what is known to be JSON, because it came out of `admit` or `encodeValue`: it is not looked over for
 * classes, symbol keys and holes, which costs more than the writing. `depth` is how many arrays and objects it will stand in.
 */
export const canonicalJson = (json: JsonValue, depth = 0): string => {
  if (typeof json === "string") return quote(json);
  // JSON.stringify writes numbers, strings and literals exactly as RFC 8785 asks; what it does not do is sort.
  const ordered = inKeyOrder(json, depth);
  if ((ordered === null && json !== null) || hasToJson()) return write(json, depth);
  const text = JSON.stringify(ordered);
  // It writes a lone surrogate as an escape. The text "\\ud" can be a string's own too, which `write` tells apart.
  return text.includes("\\ud") ? write(json, depth) : text;
};

/** Has somebody put a `toJSON` on a prototype of all objects or arrays? JSON.stringify would call it. */
const hasToJson = (): boolean => ([] as { readonly toJSON?: unknown }).toJSON !== undefined;

/** The long way, for what `JSON.stringify` would not write in order. */
const write = (json: JsonValue, depth: number): string => {
  if (typeof json === "string") return quote(json);
  // ECMAScript's Number::toString is the algorithm that JCS names; it writes -0 as 0.
  if (typeof json !== "object" || json === null) return `${json}`;
  if (depth >= maxNestingDepth) throw tooDeep();
  return Array.isArray(json)
    ? `[${(json as readonly JsonValue[]).map((item) => write(item, depth + 1)).join(",")}]`
    : writeObject(json as JsonObject, depth + 1);
};

const writeObject = (object: JsonObject, depth: number): string => {
  const members = sortKeys(Object.keys(object)).map((key) => `${quote(key)}:${write(object[key] as JsonValue, depth)}`);
  return `{${members.join(",")}}`;
};

const longestLooped = 48;

/** A JSON string. `JSON.stringify` escapes exactly what RFC 8785 asks for, except that it lets lone surrogates pass. */
export const quote = (text: string): string => {
  const length = text.length;
  if (length <= longestLooped) {
    let i = 0;
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0xd800) break;
    }
    if (i === length) return `"${text}"`;
  }
  if (!text.isWellFormed()) throw new Unrepresentable(describe(text));
  return JSON.stringify(text);
};
