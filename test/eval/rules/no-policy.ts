import { defineRules } from "interlock/rules";
import { tools } from "./tools.ts";

/** Idempotency and evidence. */
export default defineRules({ id: "eval", version: 1, tools: tools() });
