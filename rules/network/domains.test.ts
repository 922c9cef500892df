import { describe, expect, it } from "vitest";
import { RuleDefinitionError } from "../definition-error.ts";
import { domainList } from "./domains.ts";

describe("a list of domains", () => {
  it.each([
    ["example.com", "api.example.com", true],
    ["example.com", "example.com.", true],
    ["example.com", "evilexample.com", false],
    ["example.com", "example.com.evil.net", false],
    ["api.example.com", "api.example.com", true],
    ["api.example.com", "v1.api.example.com", false],
    ["api.example.com", "example.com", false],
    ["example.co.uk", "a.example.co.uk", true],
    ["me.github.io", "a.me.github.io", true],
    ["me.github.io", "you.github.io", false],
    ["m\u00fcnchen.de", "xn--mnchen-3ya.de", true],
    ["EXAMPLE.com", "example.com", true],
  ])("%s and %s: %s", (domain, host, expected) => expect(domainList([domain]).allows(host)).toBe(expected));

  it.each(["com", "co.uk", "github.io", "", "https://example.com", "example.com:443", "a b"])("refuses %j", (domain) =>
    expect(() => domainList([domain])).toThrow(RuleDefinitionError),
  );
});
