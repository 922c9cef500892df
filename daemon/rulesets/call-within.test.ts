import { expect, test } from "vitest";
import { CallOverran, callWithin } from "./call-within.ts";

test("gives what the call gives, and throws what it throws", () => {
  expect(callWithin(1_000, () => 7)).toBe(7);
  const error = new RangeError("x");
  expect(() =>
    callWithin(1_000, () => {
      throw error;
    }),
  ).toThrow(error);
  expect(callWithin(1_000, () => callWithin(1_000, () => "nested"))).toBe("nested");
});

test.each<[string, () => unknown]>([
  [
    "an infinite loop",
    () => {
      for (;;);
    },
  ],
  ["a catastrophic regular expression", () => /^(a+)+$/.test(`${"a".repeat(40)}!`)],
])("%s is ended", (_name, run) => {
  expect(() => callWithin(100, run)).toThrow(CallOverran);
  expect(callWithin(1_000, () => "goes on")).toBe("goes on");
});
