import { Unrepresentable } from "./errors.ts";
import { maxNestingDepth } from "./limits.ts";
import { assertPlainArray, describe, plainKeys } from "./plain.ts";

/**
 * Canonical JSON of RFC 8785 (JCS): keys sorted by UTF-16 code units (3.2.3), numbers as ECMAScript writes them
 * (3.2.2.3), strings with the shortest escapes (3.2.2.2), no white space. The text is what is hashed and compared in
 * every client language.
 *
 * Throws `Unrepresentable` for what JSON cannot carry: undefined, NaN, infinities, bigint, functions, symbols, class
 * instances, Map, Set, Date, typed arrays, symbol keys, holes, lone surrogates, and more than 128 levels (which a cycle has).
 */
export const canonical = (value: unknown): string => write(value, 0);

/** Canonical text of a value that will stand inside `depth` arrays and objects of a frame. */
export const canonicalInside = (value: unknown, depth: number): string => write(value, depth);

const write = (value: unknown, depth: number): string => {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      if (!Number.isFinite(value)) throw new Unrepresentable(describe(value));
      // ECMAScript's Number::toString is the algorithm that JCS names; it writes -0 as 0.
      return `${value}`;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= maxNestingDepth) throw tooDeep();
      return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
    default:
      throw new Unrepresentable(describe(value));
  }
};

export const tooDeep = (): Unrepresentable =>
  new Unrepresentable(`a value nested deeper than ${maxNestingDepth} levels, or inside itself,`);

const writeArray = (array: readonly unknown[], depth: number): string => {
  assertPlainArray(array);
  const length = array.length;
  if (length === 0) return "[]";
  let text = `[${write(array[0], depth)}`;
  for (let i = 1; i < length; i++) text += `,${write(array[i], depth)}`;
  return `${text}]`;
};

const writeObject = (object: object, depth: number): string => {
  const keys = sortKeys(plainKeys(object));
  const length = keys.length;
  if (length === 0) return "{}";
  let text = "";
  for (let i = 0; i < length; i++) {
    const key = keys[i] as string;
    text += `${i === 0 ? "{" : ","}${quote(key)}:${write((object as Record<string, unknown>)[key], depth)}`;
  }
  return `${text}}`;
};

/** Sorts in place by UTF-16 code units. Keys off the wire are sorted already, which a pass of comparisons finds out. */
const sortKeys = (keys: string[]): string[] => {
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i] as string) < (keys[i - 1] as string)) return keys.sort();
  }
  return keys;
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
