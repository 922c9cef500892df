// Held by `tsc --noEmit`: each @ts-expect-error below must be an error, everything else must not be.
import { defineTool, z } from "interlock/contracts";
import { defineRules, forTools } from "interlock/rules";

// A set may hold tools and policies, and no rules.
const refund = defineTool({ name: "refund", effect: "write", args: z.strictObject({ amount: z.number() }) });
defineRules({
  id: "a",
  version: 1,
  tools: [refund],
  policies: [{ id: "p", tools: ["refund"], when: { amount: { gt: 500 } }, then: "deny" }],
  principals: { clerk: { roles: ["finance"] } },
});
forTools<{ refund: { amount: number } }>().defineRules({ id: "a", version: 1, rules: [], tools: [refund] });
// @ts-expect-error: a tool is made by defineTool
defineRules({ id: "a", version: 1, tools: [{ name: "refund" }] });
// @ts-expect-error: a policy denies or asks
defineRules({ id: "a", version: 1, policies: [{ id: "p", tools: ["refund"], then: "allow" }] });
// @ts-expect-error: a threshold is a number
defineRules({ id: "a", version: 1, policies: [{ id: "p", tools: ["x"], when: { a: { gt: "5" } }, then: "deny" }] });
// @ts-expect-error: not an effect
defineTool({ name: "refund", effect: "maybe", args: z.strictObject({}) });
