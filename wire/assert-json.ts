import { Unrepresentable } from "./errors.ts";
import { maxNestingDepth } from "./limits.ts";
import { assertPlainArray, describe, plainKeys, tooDeep } from "./plain.ts";
import type { JsonValue } from "./value.ts";

/**
 * Is this JSON and nothing else? Throws `Unrepresentable` for what JSON cannot carry. Strings are not looked at: whoever writes
 * them finds lone surrogates.
 */
export function assertJson(value: unknown, depth = 0): asserts value is JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (!Number.isFinite(value)) throw new Unrepresentable(describe(value));
      return;
    case "object":
      if (value === null) return;
      if (depth >= maxNestingDepth) throw tooDeep();
      if (Array.isArray(value)) {
        assertPlainArray(value);
        for (let i = 0; i < value.length; i++) assertJson((value as readonly unknown[])[i], depth + 1);
      } else {
        for (const key of plainKeys(value)) assertJson((value as Record<string, unknown>)[key], depth + 1);
      }
      return;
    default:
      throw new Unrepresentable(describe(value));
  }
}
