import { allow, block, escalate, remove, rewrite, rewriteResult } from "interlock/rules";
import { describe, expect, it } from "vitest";
import { actionMatches } from "./action-pattern.ts";

describe("answers", () => {
  it("are frozen values", () => {
    const answers = [allow(), block("no"), rewrite({ a: 1 }), rewriteResult({ a: 1 }), escalate("ask")];
    for (const answer of answers) expect(Object.isFrozen(answer)).toBe(true);
    expect(answers).toEqual([
      { kind: "allow", reason: "allowed", policyId: undefined },
      { kind: "block", reason: "no", policyId: undefined, attributedTo: null },
      { kind: "rewrite", args: { a: 1 }, reason: "rewritten", policyId: undefined, attributedTo: null },
      { kind: "rewrite_result", result: { a: 1 }, reason: "result rewritten", policyId: undefined, attributedTo: null },
      { kind: "escalate", reason: "ask", policyId: undefined, attributedTo: null, by: "client" },
    ]);
  });

  it("carry a policy, an argument's name and who may say yes", () => {
    const answer = escalate("ask", { policyId: null, attributedTo: "items[2].url", by: "operator" });
    expect(answer).toMatchObject({ policyId: null, attributedTo: "items[2].url", by: "operator" });
  });

  it("copy the arguments of a rewrite, `__proto__` as an ordinary key", () => {
    const args = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    const answer = rewrite({ ...args, token: remove });
    expect(Object.getOwnPropertyNames(answer.args)).toEqual(["__proto__", "token"]);
    expect(Object.isFrozen(answer.args)).toBe(true);
    expect(remove).toBe(Symbol.for("interlock.rules/remove"));
  });

  it.each([
    ["a reason that is no text", () => block(5 as never)],
    ["a rewrite to null", () => rewrite(null as never)],
    ["a rewrite to a list", () => rewrite([] as never)],
    ["an escalation to nobody", () => escalate("ask", { by: "agent" as never })],
  ])("refuse %s", (_what, make) => expect(make).toThrow(/^[^\n]+$/));
});

describe("an action pattern", () => {
  it.each([
    ["*", "anything", true],
    ["fs.*", "fs.readFile", true],
    ["fs.*", "fs.promises.readFile", true],
    ["fs.*", "fs", false],
    ["fs.*", "fsx.readFile", false],
    ["refund", "refund", true],
    ["refund", "Refund", false],
    ["refund", "refund.all", false],
  ])("%s and %s: %s", (pattern, action, matches) => expect(actionMatches(pattern, action)).toBe(matches));
});
