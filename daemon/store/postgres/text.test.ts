import fc from "fast-check";
import { expect, test } from "vitest";
import { fromText, toText } from "./text.ts";

test("any Unicode text comes back, and none is written with a NUL", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom("\u0000", "\u001a", "0", "a"), fc.string({ unit: "binary" })),
  });
  fc.assert(
    fc.property(text, (given) => {
      const stored = toText(given);
      expect(stored).not.toContain("\u0000");
      expect(fromText(stored)).toBe(given);
    }),
  );
});

test("JSON text is stored as it is", () => {
  const json = JSON.stringify({ name: "a\u0000b\u001ac\\u0000", more: ["\ud800"] });
  expect(toText(json)).toBe(json);
  expect(fromText(json)).toBe(json);
});

test("a lone surrogate is refused, and not replaced", () => {
  expect(() => toText("a\ud800")).toThrow("not Unicode");
});
