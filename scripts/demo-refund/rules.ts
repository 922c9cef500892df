import { defineTool, z } from "interlock/contracts";
import { defineRules } from "interlock/rules";

/** What the shop's books say of an order. */
const orders: Readonly<Record<string, { readonly customer: string; readonly refundable: number }>> = {
  "ORD-42": { customer: "C-7", refundable: 1500 },
  "ORD-43": { customer: "C-8", refundable: 90 },
};

export default defineRules({
  id: "demo-refund",
  version: 1,
  tools: [
    defineTool({
      name: "refund",
      effect: "write",
      args: z.strictObject({
        order_id: z.string().min(1).max(40),
        customer: z.string().min(1).max(40),
        amount: z.number().positive(),
        reason: z.string().min(10).max(500),
      }),
      resolvers: { orders: (key) => orders[String(key)] },
      bounds: {
        customer: { equals: { fact: "orders", key: "order_id", path: "customer" } },
        amount: { max: { fact: "orders", key: "order_id", path: "refundable" } },
      },
    }),
  ],
  policies: [
    {
      id: "refund.approval",
      tools: ["refund"],
      when: { amount: { gt: 500 } },
      then: "require_approval",
      approval: { by: "operator", roles: ["finance"] },
      reason: "a refund over 500 needs a yes from finance",
    },
  ],
});
