import { maxNestingDepth } from "../wire/limits.ts";
import { isPlainObject } from "./plain-object.ts";

/**
 * A copy in which nothing is shared with the original, for what a human is shown and what then runs. Values without a JSON
 * form are kept as they are: the encoder refuses them, so that they are never approved.
 */
export const snapshot = (value: Readonly<Record<string, unknown>>): Record<string, unknown> => copyObject(value, 1);

const copyObject = (value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> => {
  // Spreading reads each property once and defines it, `__proto__` included.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const item = copy[key];
    if (typeof item === "object" && item !== null) define(copy, key, copyValue(item, depth + 1));
  }
  return copy;
};

const copyValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > maxNestingDepth) return value;
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1));
  // A Buffer's own `slice` shares its memory.
  if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? Buffer.from(value) : new Uint8Array(value);
  if (value instanceof Set) return new Set([...value].map((item) => copyValue(item, depth + 1)));
  return isPlainObject(value) ? copyObject(value, depth) : value;
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
