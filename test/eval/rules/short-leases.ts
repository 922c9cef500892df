import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { leaseWhereClientsDie_s } from "./times.ts";
import { tools } from "./tools.ts";

/** Every gate; a client that dies is given up soon, and nobody waits for it. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: tools({ idempotency: { by: "arguments", wait_ms: 100 }, lease_s: leaseWhereClientsDie_s }),
  policies,
  principals,
});
