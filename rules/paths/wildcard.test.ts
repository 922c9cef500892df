import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alternatives, mayMatch, saidLetters } from "./wildcard.ts";

describe("a pattern of one name", () => {
  it.each([
    [".e*", ".env", true],
    [".e??", ".env", true],
    [".[a-f]nv", ".env", true],
    [".[!e]nv", ".env", false],
    [".{env,x}", ".env", true],
    [".{a,{b,env}}", ".env", true],
    ["@(.env|x)", ".env", true],
    [".[[:alpha:]]nv", ".env", true],
    [".e\0", ".env", true],
    ["*.pem", "a.key", false],
    ["[", "[", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "aXcYb", false],
  ])("%j and %j: %s", (pattern, name, expected) => expect(mayMatch(pattern, name)).toBe(expected));

  it("says letters, or none", () => {
    expect(saidLetters("*.*")).toBe(0);
    expect(saidLetters("{*,.e*}")).toBe(1);
  });

  it("has bounded alternatives", () => {
    expect(alternatives("{a,b}".repeat(30))).toEqual(["*"]);
    expect(alternatives("x".repeat(1_000))).toEqual(["*"]);
  });

  it("matches whatever it was made from", () => {
    const letter = fc.constantFrom("a", "b", ".");
    fc.assert(
      fc.property(fc.array(fc.tuple(letter, fc.constantFrom("same", "?", "*", "[ab.]"))), (steps) => {
        const name = steps.map(([one]) => one).join("");
        const pattern = steps.map(([one, as]) => (as === "same" ? one : as)).join("");
        expect(mayMatch(pattern, name)).toBe(true);
      }),
    );
  });
});
