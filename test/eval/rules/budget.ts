import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** A customer gets back at most 500 a day, in however many parts. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: tools(),
  policies: [
    ...policies,
    {
      id: "refund.daily-budget",
      tools: ["refund_invoice"],
      limit: { sum: "amount", max: 500, per: ["args.customer"], window_s: 86_400 },
      reason: "this customer's refunds of the day",
    },
  ],
  principals,
});
