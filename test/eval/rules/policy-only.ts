import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";

/** No tool has a contract: neither evidence nor idempotency. */
export default defineRules({ id: "eval", version: 1, policies, principals });
