import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearPattern } from "./linear-pattern.ts";

describe("a pattern of linear time", () => {
  it("judges what would take JavaScript for ever", () => {
    const text = `${"a".repeat(100_000)}b`;
    const started = performance.now();
    expect(linearPattern("^(a+)+$", "", "t").test(text)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each([
    ["look-ahead", "(?=a)b", ""],
    ["look-behind", "(?<=a)b", ""],
    ["a back-reference", "(a)\\1", ""],
    ["a named back-reference", "(?<n>a)\\k<n>", ""],
    ["a repeat over 1000", "a{1,1001}", ""],
    ["empty brackets", "[]", ""],
    ["everything's brackets", "[^]", ""],
    ["no space inside of brackets", "[\\S,]", ""],
    ["syntax of RE2 alone", "(?P<n>a)", ""],
    ["a quotation of RE2's", "\\Qa.b\\E", ""],
    ["an end of RE2's", "a\\z", ""],
    ["a class of POSIX", "[[:alpha:]]", ""],
    ["what is no pattern", "(", ""],
    ["the flag g", "a", "g"],
    ["the flag y", "a", "y"],
    ["the flag m", "a", "m"],
    ["letters of words without case", "\\w", "i"],
    ["more than 4096 characters", "a".repeat(4097), ""],
  ])("is refused with %s", (_what, source, flags) => {
    expect(() => linearPattern(source, flags, "here")).toThrow("here: the pattern ");
  });

  const sources = [
    "^ORD-\\d{1,6}$",
    "a.c",
    "^\\s+$",
    "^\\S+$",
    "[\\s,]",
    "^[^a-c]*$",
    "x|yz?",
    "(ab)+",
    "^.$",
    "\\bword\\b",
    "[a\\]b]",
    "[[]",
    "\\u00e9",
    "\\.",
    "^\\p{L}+$",
    "[\\w-]{2,3}",
  ];
  it("says what JavaScript says", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.stringMatching(/^[abcxyz,. \][-]{0,6}$/),
      fc.constantFrom(
        "ORD-12",
        "ORD-",
        "\u00a0",
        "\u2028",
        "\n",
        "\r",
        "é",
        "a word!",
        "ﬁ",
        "ſ",
        "\u212a",
        "ABC",
        "WORD",
        "İ",
        "ß",
        "😀",
        "\u000b\ufeff",
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.constantFrom("", "s", "i"), text, (source, flags, subject) => {
        if (flags === "i" && /\\[wb]/.test(source)) return;
        expect(linearPattern(source, flags, "t").test(subject)).toBe(new RegExp(source, `${flags}u`).test(subject));
      }),
      { numRuns: 2_000 },
    );
  });
});
