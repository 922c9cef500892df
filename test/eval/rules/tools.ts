import { defineTool, z } from "interlock/contracts";

const text = z.string().min(1).max(500);

const schemas = {
  refund_invoice: z.strictObject({
    invoice: text,
    customer: text,
    amount: z.number().positive(),
    note: z.string().min(10).max(500),
  }),
  change_account: z.strictObject({ account: text, setting: text, value: z.string().max(500) }),
  send_message: z.strictObject({ to: text, topic: text, text: z.string().min(1).max(5000) }),
};

export type ToolSettings = Pick<Parameters<typeof defineTool>[0], "idempotency" | "lease_s" | "resolvers" | "bounds">;

/** A repeat waits for the first one's result so long: the machine may be busy, and the numbers are the same. */
const patient: ToolSettings = { idempotency: { by: "arguments", wait_ms: 20_000 } };

/** The contracts of the three tools. `common` holds for each; `refund` for refunds alone. */
export const tools = (common: ToolSettings = patient, refund: ToolSettings = {}) => [
  defineTool({ name: "refund_invoice", args: schemas.refund_invoice, effect: "write", ...common, ...refund }),
  defineTool({ name: "change_account", args: schemas.change_account, effect: "write", ...common }),
  defineTool({ name: "send_message", args: schemas.send_message, effect: "write", ...common }),
];
