import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** Evidence and policy: no call is taken for a repeat of another. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: tools({ idempotency: { by: "off" } }),
  policies,
  principals,
});
