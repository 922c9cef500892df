import { maxNestingDepth } from "./limits.ts";
import { setOwn } from "./own-property.ts";
import { tooDeep } from "./plain.ts";
import type { JsonObject, JsonValue } from "./value.ts";

const longestInserted = 24;

/** Sorts in place by UTF-16 code units, which is how JavaScript compares strings. */
export const sortKeys = (keys: string[]): string[] => {
  if (keys.length > longestInserted) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let to = i;
    for (; to > 0 && key < (keys[to - 1] as string); to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
};

const isInOrder = (keys: readonly string[]): boolean => {
  for (let i = 1; i < keys.length; i++) if ((keys[i] as string) < (keys[i - 1] as string)) return false;
  return true;
};

/**
 * The same JSON with every object's keys in canonical order; itself where they are already, as in a frame from a client
 * of ours. Null where JavaScript cannot hold them so: it lists keys that are array indices first, by number.
 */
export const inKeyOrder = <T extends JsonValue>(json: T, depth: number): T | null => {
  if (typeof json !== "object" || json === null) return json;
  if (depth >= maxNestingDepth) throw tooDeep();
  return (Array.isArray(json) ? itemsInOrder(json, depth) : membersInOrder(json as JsonObject, depth)) as T | null;
};

const itemsInOrder = (items: readonly JsonValue[], depth: number): readonly JsonValue[] | null => {
  let out: JsonValue[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as JsonValue;
    if (typeof item !== "object" || item === null) continue;
    const ordered = inKeyOrder(item, depth + 1);
    if (ordered === null) return null;
    if (ordered === item) continue;
    if (out === null) out = [...items];
    out[i] = ordered;
  }
  return out ?? items;
};

const membersInOrder = (object: JsonObject, depth: number): JsonObject | null => {
  const keys = Object.keys(object);
  let out: Record<string, JsonValue> | null = null;
  if (!isInOrder(keys)) {
    out = {};
    for (const key of sortKeys(keys)) {
      const first = key.charCodeAt(0);
      if (first >= 0x30 && first <= 0x39) return null;
      setOwn(out, key, object[key] as JsonValue);
    }
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key] as JsonValue;
    if (typeof item !== "object" || item === null) continue;
    const ordered = inKeyOrder(item, depth + 1);
    if (ordered === null) return null;
    if (ordered === item) continue;
    // A spread keeps the order, and an own `__proto__` key an own key.
    if (out === null) out = { ...object };
    setOwn(out, key, ordered);
  }
  return out ?? object;
};
