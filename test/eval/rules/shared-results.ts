import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** Calls of everybody are one: what `scope: global` says, and what a key without the tenant in it would do. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: tools({ idempotency: { by: "arguments", scope: "global" } }),
  policies,
  principals,
});
