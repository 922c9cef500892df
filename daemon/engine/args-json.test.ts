import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../../wire/canonical.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import { argsJson, isSendable } from "./args-json.ts";

const text = (value: WireValue): string => canonical(argsJson(value));

test("what can be sent is as it is on the wire", () => {
  expect(argsJson({ a: [1, "x"], b: new Uint8Array([1]) })).toEqual({
    a: [1, "x"],
    b: { __interlock__: "bytes", b64: "AQ==" },
  });
});

test("a double that was read and cannot be sent is told from every other value, and from none like it", () => {
  expect(isSendable({ amount: 1e30 })).toBe(false);
  expect(isSendable({ amount: 1 })).toBe(true);
  expect(text({ a: 1e30, b: 1 })).toBe(text({ b: 1, a: 1e30 }));
  const bytes = { a: 1e30, b: new Uint8Array([1]) };
  const others: WireObject[] = [
    { a: 1e30 },
    { a: 1e31 },
    { a: "1e30" },
    { a: [1e30] },
    { a: 1e30, b: "AQ==" },
    { a: 1e30, b: { bytes: "AQ==" } },
    { a: 1e30, b: { __interlock__: "bytes", b64: "AQ==" } },
    { a: 1e30, b: [["bytes", "AQ=="]] },
  ];
  const texts = [bytes, ...others].map(text);
  expect(new Set(texts).size).toBe(texts.length);
});

test("equal JSON is equal values, with a double that cannot be sent among them", () => {
  const value = fc.letrec<{ value: WireValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<WireValue>(1e30, 1, "a", null, true),
      fc.uint8Array({ maxLength: 2 }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "members", "bytes"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  const equal = (a: WireValue, b: WireValue): boolean => text([a]) === text([b]);
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(equal([a, 1e30], [b, 1e30])).toBe(equal(a, b));
    }),
  );
});
