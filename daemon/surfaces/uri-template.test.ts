import { expect, test } from "vitest";
import { couldMatch } from "./uri-template.ts";

test.each([
  ["file:///{path}", "file:///a/b", true],
  ["file:///{path}", "http://a", false],
  ["a/{x}/b/{y}/c", "a/1/b/2/c", true],
  ["a/{x}/b/{y}/c", "a/1/c", false],
  ["a{x}a", "a", false],
  ["a{x}a", "aa", true],
  ["{+all}", "anything at all", true],
  ["plain", "plain", true],
  ["plain", "plainer", false],
  ["open{never", "open{never", true],
])("%s: %s is one of its: %s", (template, uri, expected) => {
  expect(couldMatch(template, uri)).toBe(expected);
});

test("takes a moment of whatever is long", () => {
  const began_ms = performance.now();
  expect(couldMatch(`${"{a}x".repeat(1_000)}y`, "x".repeat(1_000_000))).toBe(false);
  expect(performance.now() - began_ms).toBeLessThan(500);
});
