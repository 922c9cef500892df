import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** The next version of `every-gate`: what a person could say yes to yesterday is denied today. */
export default defineRules({
  id: "eval",
  version: 2,
  tools: tools(),
  policies: [
    ...policies,
    {
      id: "refund.lower-ceiling",
      tools: ["refund_invoice"],
      when: { amount: { gt: 600 } },
      then: "deny",
      reason: "no refund over 600 since the last audit",
    },
  ],
  principals,
});
