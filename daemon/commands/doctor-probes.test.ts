import { expect, it } from "vitest";
import { checkRuleSet } from "../../rules/check.ts";
import { defineTool } from "../../rules/contracts/define-tool.ts";
import { z } from "../../rules/contracts/index.ts";
import { indexRules } from "../engine/rule-index.ts";
import { combined, contentsOf } from "../rulesets/contents.ts";
import { probesOf } from "./doctor-probes.ts";

const deny = { tools: ["pay"], when: { amount: { gt: 5 } }, then: "deny" };
const loaded = async () => {
  const set = checkRuleSet({
    id: "s",
    version: 1,
    tools: [defineTool({ name: "refund", effect: "write", args: z.strictObject({ amount: z.number() }) })],
    policies: [
      {
        id: "ceiling",
        ...deny,
        examples: [
          { args: { amount: 1 }, expect: "allow" },
          { args: { amount: 6 }, expect: "deny" },
        ],
      },
      { id: "of-clerk", ...deny, examples: [{ args: { amount: 6 }, principal: "clerk", expect: "deny" }] },
      { id: "shadow", ...deny, shadow: true, examples: [{ args: { amount: 6 }, expect: "deny" }] },
      { id: "at-night", ...deny, examples: [{ args: { amount: 6 }, at: "2026-01-01T00:00:00Z", expect: "deny" }] },
      { id: "bare", ...deny },
    ],
  });
  const contents = await contentsOf(set);
  const origin = { path: "s.json", sources: [] };
  const { tools, policies } = contents;
  const sets = [{ ...set, tools, policies, digest: "d", keyIds: ["k"], origin }];
  return { digest: "d", version: 1, sets, ...(await combined([contents])) };
};

it("a tool is put an argument that its contract refuses, a policy its denying example", async () => {
  const rules = await loaded();
  const probes = probesOf(indexRules(rules, 0));
  expect(probes.map(({ by, principals }) => [by, principals])).toEqual([
    ["the contract of refund", ["interlock-doctor", null]],
    ["policy ceiling", ["interlock-doctor", null]],
    ["policy of-clerk", ["clerk"]],
  ]);
  expect(probes[1]!.call).toEqual({ action: "pay", args: { amount: 6 }, phase: "call", parent_principal: null });
  expect(rules.contracts.of("refund")!.parse(probes[0]!.call.args)).toMatchObject({ ok: false });
});
