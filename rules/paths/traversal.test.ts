import { describe, expect, it } from "vitest";
import { foldersLeft, traversalIn } from "./traversal.ts";

describe("a hidden step out of a folder", () => {
  it.each([
    ["..%2fx", "encoded"],
    ["%2e%2e/x", "encoded"],
    ["%252e%252e%252fx", "encoded"],
    ["..%c0%afx", "encoded"],
    ["%c0%ae%c0%ae/x", "encoded"],
    ["\uff0e\uff0e/x", "encoded"],
    ["\u2025/x", "encoded"],
    ["..\u2215x", "encoded"],
    ["https://example.com/a/..%2fb", "encoded"],
    ["....//x", "nested"],
    ["..././x", "nested"],
    ["..;/x", "nested"],
    ["a.pdf%00.png", "null_byte"],
    ["a\0b", "null_byte"],
    ["..\\..\\x", "backslash"],
  ])("is in %j: %s", (text, kind) => expect(traversalIn(text)).toBe(kind));

  it.each([
    "../x",
    "../../x",
    "a..b",
    "v1...v2",
    "100%25",
    "src/%5Bid%5D.ts",
    "https://example.com/a/../b",
    "a\\b",
    "..\\x",
    "50% ...",
  ])("is not in %j", (text) => expect(traversalIn(text)).toBeNull());

  it("counts folders that are left", () => {
    expect(foldersLeft("a/../../../b")).toBe(2);
    expect(foldersLeft("a/b")).toBe(0);
    expect(foldersLeft("..")).toBe(1);
  });
});
