import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineMatches, outputMatches, printedLines } from "./expected-output.ts";

describe("a shown line", () => {
  it.each([
    ["same", "same"],
    ["listening on <path>", "listening on /tmp/a b.sock"],
    ["<id> <id>", "a b"],
    ["sha256:... done", "sha256:00ff done"],
    ["...", ""],
    ["a ... b ... c", "a  b x b c"],
    ["x < y", "x < y"],
    ["<Not a name>", "<Not a name>"],
  ])("%j matches %j", (shown, printed) => {
    expect(lineMatches(shown, printed)).toBe(true);
  });

  it.each([
    ["same", "samer"],
    ["same", "sam"],
    ["listening on <path>", "listening on "],
    ["a ... b", "a x c"],
    ["a.c", "abc"],
  ])("%j does not match %j", (shown, printed) => {
    expect(lineMatches(shown, printed)).toBe(false);
  });

  it("matches itself whatever it holds", () => {
    const literal = fc.string().map((text) => text.replaceAll(/[.<]/g, ""));
    fc.assert(fc.property(literal, (line) => lineMatches(line, line)));
  });

  it("takes linear time for each wildcard", () => {
    const started_ms = Date.now();
    expect(lineMatches(`${"...a".repeat(50)}b`, "a".repeat(2000))).toBe(false);
    expect(Date.now() - started_ms).toBeLessThan(2000);
  });
});

describe("shown output", () => {
  it.each([
    [[], []],
    [["a", "..."], ["a"]],
    [
      ["a", "...", "d"],
      ["a", "b", "c", "d"],
    ],
    [
      ["...", "b"],
      ["b", "a", "b"],
    ],
  ])("%j matches %j", (shown, printed) => {
    expect(outputMatches(shown, printed)).toBe(true);
  });

  it.each([
    [[], ["a"]],
    [["a"], []],
    [["a"], ["a", "b"]],
    [
      ["...", "b"],
      ["b", "a"],
    ],
  ])("%j does not match %j", (shown, printed) => {
    expect(outputMatches(shown, printed)).toBe(false);
  });

  it("ignores empty lines around what was printed", () => {
    expect(printedLines("\n\na  \n\nb\n\n")).toEqual(["a", "", "b"]);
    expect(printedLines("\n")).toEqual([]);
  });
});
