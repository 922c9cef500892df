import { defineTool, z } from "interlock/contracts";
import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";

const anything = z.union([z.string(), z.number(), z.array(z.number())]).optional();

const shapeless = (name: string, fields: readonly string[]) =>
  defineTool({
    name,
    args: z.strictObject(Object.fromEntries(fields.map((field) => [field, anything]))),
    effect: "write",
  });

/** Idempotency and policy: the contracts know the fields' names, and ask nothing of what is in them. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: [
    shapeless("refund_invoice", ["invoice", "customer", "amount", "note"]),
    shapeless("change_account", ["account", "setting", "value"]),
    shapeless("send_message", ["to", "topic", "text"]),
  ],
  policies,
  principals,
});
