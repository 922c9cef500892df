import { maxNestingDepth } from "../wire/limits.ts";
import { isPlainObject } from "./plain-object.ts";

/**
 * An MCP message as JSON carries it: members that are `undefined` do not exist. What is judged is then exactly what the
 * server is sent. Everything else is left for the encoder to accept or refuse.
 */
export const withoutUndefined = <T>(value: T): T => dropUndefined(value, 1) as T;

const dropUndefined = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > maxNestingDepth) return value;
  if (Array.isArray(value)) return value.map((item) => dropUndefined(item, depth + 1));
  if (!isPlainObject(value)) return value;
  const kept: Record<string, unknown> = { ...value };
  for (const key of Object.keys(kept)) {
    const item = kept[key];
    if (item === undefined) delete kept[key];
    else if (typeof item === "object" && item !== null) {
      Object.defineProperty(kept, key, { ...dataProperty, value: dropUndefined(item, depth + 1) });
    }
  }
  return kept;
};

const dataProperty = { writable: true, enumerable: true, configurable: true };
