import { describe, expect, it } from "vitest";
import type { PolicyCall } from "../contracts/policy.ts";
import { compiledScopes } from "./compiled-scopes.ts";
import type { LoadedScopes } from "./load.ts";
import { readSource } from "./read-source.ts";
import type { Scopes } from "./scopes.ts";
import { text } from "./testing.ts";

const loaded = (source: string, not_after_ms: number | null = null): LoadedScopes => ({
  ...readSource(source, "scopes.yaml").checked,
  path: "scopes.json",
  pin: "sha256:pin",
  key_ids: ["key"],
  not_after_ms,
});

const nobody = () => ({ isNamed: false, roles: [], tenant: null });
const judging = (source: string, not_after_ms: number | null = null): Scopes =>
  compiledScopes(loaded(source, not_after_ms), nobody);

const call = (principal: string | null, amount: unknown = 5, changes: Partial<PolicyCall> = {}): PolicyCall => ({
  action: "refund",
  args: { amount } as never,
  principal,
  identity: null,
  parent_principal: null,
  effect: null,
  now_ms: 1_000,
  ...changes,
});

const answerOf = (scopes: Scopes, ...asked: Parameters<typeof call>): string => {
  const said = scopes.judge(call(...asked));
  return said.kind === "judged" ? said.finding.answer : said.kind;
};

describe("a scope document, judging", () => {
  const source = text(
    "  a: [{ template: ceiling, params: { max: 10 } }]\n  a/b/c: [{ template: ceiling, params: { max: 2 } }]",
  );

  it("is the deepest scope's on the principal's path, however much deeper the principal is", () => {
    const scopes = judging(source);
    expect(answerOf(scopes, "a", 10)).toBe("ALLOW");
    expect(answerOf(scopes, "a/b", 3)).toBe("ALLOW");
    expect(answerOf(scopes, "a/b/c", 3)).toBe("DENY");
    expect(answerOf(scopes, `a/b/c${"/x".repeat(400)}`, 3)).toBe("DENY");
    expect(answerOf(scopes, "a/b/cc", 3)).toBe("ALLOW");
  });

  it("denies what it cannot read, and has nothing to say of an action that no template is about", () => {
    expect(answerOf(judging(source), "a", "5")).toBe("DENY");
    expect(answerOf(judging(source), "a", 5, { action: "ping" })).toBe("SKIP");
  });

  it("knows nobody beside, above or without a scope", () => {
    const scopes = judging(source);
    for (const principal of [null, "", "/", "b", "aa", "A", "a//b", "/a", "a/", "constructor", "a\u0000"])
      expect([principal, answerOf(scopes, principal)]).toEqual([principal, "unknown"]);
  });

  it("has expired from its not_after on, whoever asks", () => {
    const scopes = judging(source, 1_000);
    expect(answerOf(scopes, "a", 5, { now_ms: 999 })).toBe("ALLOW");
    expect(answerOf(scopes, "a", 5, { now_ms: 1_000 })).toBe("expired");
    expect(answerOf(scopes, null, 5, { now_ms: 1_001 })).toBe("expired");
  });

  it("goes on judging rightly when more scopes are asked than are kept compiled", () => {
    const bound = (at: number) => `  s${at}: [{ template: ceiling, params: { max: ${at} } }]`;
    const scopes = judging(text(Array.from({ length: 1500 }, (_, at) => bound(at)).join("\n")));
    for (const round of [0, 1])
      for (let at = 0; at < 1500; at++) {
        expect([round, at, answerOf(scopes, `s${at}`, at)]).toEqual([round, at, "ALLOW"]);
        expect([round, at, answerOf(scopes, `s${at}`, at + 1)]).toEqual([round, at, "DENY"]);
      }
  });

  it("counts what delegates spend of the delegator's budget as well as of their own", () => {
    const budgets = `id: acme
version: 1
templates:
  budget:
    params: { most: { type: number } }
    policy: { tools: [refund], limit: { sum: amount, max: { param: most }, window_s: 60 } }
scopes:
  a: [{ template: budget, params: { most: 100 } }]
  b: [{ template: budget, params: { most: 50 }, delegated_from: a }]
  b/c: [{ template: budget, params: { most: 20 } }]
  d: [{ template: budget, params: { most: 10 }, delegated_from: b }]`;
    const spent = (principal: string) => {
      const said = judging(budgets).judge(call(principal, 5));
      return (
        said.kind === "judged" && said.finding.limits.map(({ counter, max }) => [counter.slice(0, 2).join(" "), max])
      );
    };
    expect(spent("a/x")).toEqual([["acme a", 100]]);
    expect(spent("b")).toEqual([
      ["acme b", 50],
      ["acme a", 100],
    ]);
    expect(spent("b/c")).toEqual([
      ["acme b/c", 20],
      ["acme a", 100],
    ]);
    expect(spent("d")).toEqual([
      ["acme d", 10],
      ["acme b", 50],
      ["acme a", 100],
    ]);
  });

  it("names itself and its templates as no rule set can", () => {
    const scopes = judging(source);
    expect(scopes).toMatchObject({ name: "acme@1", pin: "sha256:pin" });
    const said = scopes.judge(call("a", 11));
    expect(said.kind === "judged" && said.finding.denial?.policyId).toBe("scope:ceiling");
  });
});

it("whoever has a scope of his own counts for himself, also where another acts as him", () => {
  const scopes = judging(`id: acme
version: 1
templates:
  few: { policy: { tools: [refund], limit: { count: calls, max: 2, window_s: 60, per: [principal] } } }
scopes:
  acme: [{ template: few }]
  acme/own: [{ template: few }]
`);
  const countedFor = (principal: string) => {
    const said = scopes.judge(call(principal, 5, { identity: "acme" }));
    return said.kind === "judged" ? said.finding.limits.map(({ counter }) => counter.at(-1)) : said.kind;
  };
  expect([countedFor("acme/own"), countedFor("acme/own/x"), countedFor("acme/x"), countedFor("acme")]).toEqual([
    ["acme/own"],
    ["acme"],
    ["acme"],
    ["acme"],
  ]);
});
