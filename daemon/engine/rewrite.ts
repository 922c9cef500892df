import { isDeepStrictEqual } from "node:util";
import { remove } from "../../rules/remove.ts";
import { decodeValue, encodeValue } from "../../wire/codec.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";

/**
 * A rewrite is taken through the wire's own encoding before anything judges it: what the next rule sees is exactly
 * what the client will be given. A value with no JSON form throws `Unrepresentable` here, and the call is blocked.
 */
const asSent = (value: unknown): WireValue =>
  deepFreeze(decodeValue(encodeValue(value, { escape: true }), { escape: true }));

/** By value, without the encoding: arguments that no rule touched may hold a double that cannot be sent, such as 1e21. */
export const sameValue = (a: WireValue, b: WireValue): boolean => a === b || isDeepStrictEqual(a, b);

/** An ordinary own property, whatever its name: `__proto__` is a key like any other. */
const put = (target: Record<string, WireValue>, key: string, value: WireValue): void => {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
};

const copyOf = (args: WireObject): Record<string, WireValue> => {
  const copy: Record<string, WireValue> = {};
  for (const key of Object.keys(args)) put(copy, key, args[key] as WireValue);
  return copy;
};

/** Merges a rule's `rewrite` over the arguments, top level; `remove` takes a key away. */
export const rewriteArgs = (args: WireObject, changes: Readonly<Record<string, unknown>>): WireObject => {
  const next = copyOf(args);
  for (const key of Object.keys(changes)) {
    const change = changes[key];
    if (change === remove) delete next[key];
    else put(next, key, asSent(change));
  }
  return Object.freeze(next);
};

/** What a result event's `args` show after the result was replaced: the object itself, or `{result: value}`. */
export const rewriteResult = (replacement: unknown): { readonly result: WireValue; readonly args: WireObject } => {
  const result = asSent(replacement);
  const isObject =
    typeof result === "object" && result !== null && !Array.isArray(result) && !(result instanceof Uint8Array);
  return { result, args: isObject ? (result as WireObject) : Object.freeze({ result }) };
};

/**
 * The changes that turn `before` into `after` by a shallow merge, or null when a key would have to be taken away,
 * which a merge cannot do.
 */
export const mergeToReach = (before: WireObject, after: WireObject): WireObject | null => {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) return null;
  const changes: Record<string, WireValue> = {};
  for (const key of Object.keys(after)) {
    const value = after[key] as WireValue;
    if (!Object.hasOwn(before, key) || !sameValue(before[key] as WireValue, value)) put(changes, key, value);
  }
  return Object.freeze(changes);
};
