import { describe, expect, it } from "vitest";
import { codes, refused, text } from "./testing.ts";

describe("delegation: never more than the delegator holds", () => {
  const over = (scopes: string): readonly string[] => refused(text(scopes)).map((line) => line.replace(/^\S+ /, ""));
  const pay = "  acme/payments: [{ template: ceiling, params: { max: 100 } }]\n";

  it("a larger maximum", () => {
    expect(
      over(
        `${pay}  acme/payments/agent42: [{ template: ceiling, params: { max: 101 }, delegated_from: acme/payments }]`,
      ),
    ).toEqual([
      "scopes.acme/payments/agent42.0.params.max: 101 here and 100 at acme/payments, where a larger one grants more (delegation_over_grant)",
    ]);
  });

  it("the same and a smaller maximum pass", () => {
    for (const max of [100, 99])
      expect(
        over(`${pay}  x: [{ template: ceiling, params: { max: ${max} }, delegated_from: acme/payments }]`),
      ).toEqual([]);
  });

  it("an item that is not in the delegator's allow-list", () => {
    expect(
      codes(
        text(
          "  a: [{ template: hosts, params: { allowed: [acme.example] } }]\n  a/b: [{ template: hosts, params: { allowed: [acme.example, extra.example] }, delegated_from: a }]",
        ),
      ),
    ).toEqual(["delegation_over_grant"]);
    expect(
      codes(
        text(
          "  a: [{ template: hosts, params: { allowed: [a.example, b.example] } }]\n  a/b: [{ template: hosts, params: { allowed: [a.example] }, delegated_from: a }]",
        ),
      ),
    ).toEqual([]);
  });

  it("a deny-list that leaves one out", () => {
    const denied = "  a: [{ template: words, params: { denied: [x, y] } }]\n";
    expect(codes(text(`${denied}  b: [{ template: words, params: { denied: [x] }, delegated_from: a }]`))).toEqual([
      "delegation_over_grant",
    ]);
    expect(
      codes(text(`${denied}  b: [{ template: words, params: { denied: [x, y, z] }, delegated_from: a }]`)),
    ).toEqual([]);
  });

  it("another value, where no value is more than another", () => {
    const euros = "  a: [{ template: currency, params: { only: EUR } }]\n";
    expect(codes(text(`${euros}  b: [{ template: currency, params: { only: USD }, delegated_from: a }]`))).toEqual([
      "delegation_over_grant",
    ]);
    expect(codes(text(`${euros}  b: [{ template: currency, params: { only: EUR }, delegated_from: a }]`))).toEqual([]);
  });

  it("a template that the delegator does not hold", () => {
    expect(codes(text("  a: []\n  b: [{ template: ceiling, params: { max: 1 }, delegated_from: a }]"))).toEqual([
      "delegation_over_grant",
    ]);
  });

  it("more in a scope below the one that is delegated", () => {
    expect(
      codes(
        text(
          `${pay}  x: [{ template: ceiling, params: { max: 5 }, delegated_from: acme/payments }]\n  x/y: [{ template: ceiling, params: { max: 500 } }]`,
        ),
      ),
    ).toEqual(["delegation_over_grant"]);
  });

  it("a tombstone below the one that is delegated", () => {
    expect(
      codes(
        text(
          `${pay}  x: [{ template: ceiling, params: { max: 5 }, delegated_from: acme/payments }]\n  x/y: [{ template: ceiling, enabled: false }]`,
        ),
      ),
    ).toEqual(["delegation_over_grant"]);
  });

  it("what a list inherits from a scope that is not the delegator's counts", () => {
    expect(
      codes(
        text(
          "  a: [{ template: hosts, params: { allowed: [a.example] } }]\n  b: [{ template: hosts, params: { allowed: [b.example] } }]\n  b/c: [{ template: hosts, params: { allowed: [a.example] }, delegated_from: a }]",
        ),
      ),
    ).toEqual(["delegation_over_grant"]);
  });

  const chain = (links: number): string =>
    Array.from(
      { length: links + 1 },
      (_, at) =>
        `  s${at}: [{ template: ceiling, params: { max: 1 }${at === 0 ? "" : `, delegated_from: s${at - 1}`} }]`,
    ).join("\n");

  it("through 16 delegations, and not through 17", () => {
    expect(codes(text(chain(16)))).toEqual([]);
    expect(codes(text(chain(17)))).toEqual(["delegation_too_deep"]);
  });

  it("a circle of three", () => {
    const circle = ["b", "c", "a"]
      .map((from, at) => `  ${"abc"[at]}: [{ template: ceiling, params: { max: 1 }, delegated_from: ${from} }]`)
      .join("\n");
    expect(codes(text(circle))).toEqual(Array(3).fill("delegation_cycle"));
  });

  it("`widens: never` holds a delegate to the delegator's own value", () => {
    const source = (max: number): string => `id: a
version: 1
templates:
  t:
    params: { max: { type: number, widens: never } }
    policy: { tools: [a], when: { x: { gt: { param: max } } }, then: deny }
scopes:
  a: [{ template: t, params: { max: 5 } }]
  b: [{ template: t, params: { max: ${max} }, delegated_from: a }]`;
    expect(codes(source(5))).toEqual([]);
    expect(codes(source(4))).toEqual(["delegation_over_grant"]);
  });
});
