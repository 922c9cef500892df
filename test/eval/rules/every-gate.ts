import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** Idempotency, evidence and policy. */
export default defineRules({ id: "eval", version: 1, tools: tools(), policies, principals });
