import { compileContents, compilePolicies, contractsOf } from "../../daemon/contracts/compile-contents.ts";
import type { LoadedRules } from "../../daemon/rulesets/loaded.ts";
import { checkRuleSet } from "../../rules/check.ts";
import { defineTool, z } from "../../rules/contracts/index.ts";
import { defineRules } from "../../rules/index.ts";

export const action = "refund";
export const lease_ms = 30_000;
/** All refunds of one customer together: one of the two calls of a schedule fits, not both. */
export const limit = 500;

/** A write whose repeats are one call, limited by sum or not; where `asks`, an operator has to say yes. */
export const killRules = (asks: boolean, limit: number | null, wait_ms: number): LoadedRules => {
  const set = checkRuleSet(
    defineRules({
      id: "kills",
      version: 1,
      tools: [
        defineTool({
          name: action,
          effect: "write",
          args: z.strictObject({ customer_id: z.string().min(1), amount: z.number().positive() }),
          idempotency: { wait_ms },
          lease_s: lease_ms / 1000,
        }),
      ],
      policies: [
        ...(limit === null
          ? []
          : [
              {
                id: "refund.sum",
                tools: [action],
                limit: { sum: "amount", max: limit, per: ["args.customer_id"], window_s: 86_400 },
              },
            ]),
        ...(asks
          ? [
              {
                id: "refund.asks",
                tools: [action],
                then: "require_approval" as const,
                approval: { count: 1, expires_s: 600, scopes: ["once" as const, "exact" as const] },
              },
            ]
          : []),
      ],
    }),
  );
  const { tools, policies, principals } = compileContents(set);
  return {
    digest: "sha256:kills",
    version: 1,
    sets: [{ ...set, tools, policies, digest: "sha256:kills", keyIds: ["k"], origin: null }],
    contracts: contractsOf(tools),
    policies: compilePolicies(policies, principals).policies,
  };
};
