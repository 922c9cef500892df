import { expect, test } from "vitest";
import { deepFreeze } from "./freeze.ts";

test("freezes in depth, also under __proto__, and lets bytes be", () => {
  const value = deepFreeze({ ...JSON.parse('{"__proto__":{"a":[1]},"b":{"c":null}}'), bytes: new Uint8Array([1]) });
  const hidden = Object.getOwnPropertyDescriptor(value, "__proto__")?.value as { a: number[] };
  for (const part of [value, value.b, hidden, hidden.a]) expect(Object.isFrozen(part)).toBe(true);
  value.bytes[0] = 2;
  expect(value.bytes).toEqual(new Uint8Array([2]));
});
