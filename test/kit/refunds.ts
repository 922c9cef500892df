/**
 * Text of a rule module with one tool, `refund`, its policies, and the facts that it is checked against: order `o1` of
 * customer `c1`, of which 1000 can be paid back. `more` stands in the contract.
 */
export const refundModule = ({
  version = 1,
  ceiling = 5000,
  asksAbove = 500,
  more = "",
  requestId = 'z.string().default("none")',
  policies = "",
}: {
  readonly version?: number;
  readonly ceiling?: number;
  readonly asksAbove?: number;
  readonly more?: string;
  readonly requestId?: string;
  readonly policies?: string;
} = {}): string => `import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";

const orders: Record<string, { customer: string; refundable: number }> = {
  o1: { customer: "c1", refundable: 1000 },
  o2: { customer: "c2", refundable: 9000 },
};

export default defineRules({
  id: "refunds",
  version: ${version},
  tools: [
    defineTool({
      name: "refund",
      effect: "write",
      args: z.strictObject({
        order_id: z.string().min(1),
        customer_id: z.string().min(1),
        amount: z.number().positive(),
        note: z.string().default("none"),
        request_id: ${requestId},
      }),
      resolvers: { orders: (key) => orders[key as string] },
      bounds: {
        customer_id: { equals: { fact: "orders", key: "order_id", path: "customer" } },
        amount: { max: { fact: "orders", key: "order_id", path: "refundable" } },
      },
      ${more}
    }),
    defineTool({ name: "balance", effect: "read", args: z.strictObject({ customer_id: z.string() }) }),
  ],
  policies: [
    { id: "refund.ceiling", tools: ["refund"], when: { amount: { gt: ${ceiling} } }, then: "deny" },
    {
      id: "refund.large",
      tools: ["refund"],
      when: { amount: { gt: ${asksAbove} } },
      then: "require_approval",
      approval: { count: 1, expires_s: 600 },
    },
    ${policies}
  ],
});
`;
