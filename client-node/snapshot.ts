import { maxNestingDepth } from "../wire/limits.ts";
import { isPlainObject } from "./plain-object.ts";

/** Bytes may be a tool's to fill, and are then one with the caller's. */
type Bytes = "copied" | "shared";

/**
 * A copy in which nothing is shared with the original, for what a human is shown and what then runs. Values without a JSON
 * form are kept as they are: the encoder refuses them, so that they are never approved.
 */
export const snapshot = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  copyObject(value, "copied", 1);

/** A copy in which no object, array or set is shared with the original, so that what is judged is what then runs. */
export const detached = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  copyObject(value, "shared", 1);

const copyObject = (value: Readonly<Record<string, unknown>>, bytes: Bytes, depth: number): Record<string, unknown> => {
  // Spreading reads each property once and defines it, `__proto__` included.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const item = copy[key];
    if (typeof item === "object" && item !== null) define(copy, key, copyValue(item, bytes, depth + 1));
  }
  return copy;
};

const copyValue = (value: unknown, bytes: Bytes, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > maxNestingDepth) return value;
  if (Array.isArray(value)) return copyArray(value, bytes, depth);
  // A Buffer's own `slice` shares its memory.
  if (value instanceof Uint8Array && bytes === "shared") return value;
  if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? Buffer.from(value) : new Uint8Array(value);
  if (value instanceof Set) return new Set([...value].map((item) => copyValue(item, bytes, depth + 1)));
  return isPlainObject(value) ? copyObject(value, bytes, depth) : value;
};

/** One with properties beside its elements, or of a class of its own, has no JSON form. */
const copyArray = (value: readonly unknown[], bytes: Bytes, depth: number): unknown => {
  if (Object.getPrototypeOf(value) !== Array.prototype || Object.keys(value).length !== value.length) return value;
  return value.map((item) => copyValue(item, bytes, depth + 1));
};

const define = (object: object, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
};

/** Freezes what JSON can hold, all the way down. Bytes cannot be frozen; a snapshot of their own is kept instead. */
export const freezeDeep = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Object.isFrozen(value))
    return value;
  Object.freeze(value);
  for (const item of value instanceof Set ? value : Object.values(value)) freezeDeep(item);
  return value;
};
