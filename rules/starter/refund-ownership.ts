import { allow, block, escalate } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { forTools } from "../define.ts";
import { RuleDefinitionError } from "../definition-error.ts";

export interface RefundOwnershipOptions {
  /** Above this amount a human is asked. */
  readonly escalateOver: number;
  /** Who may say yes to a large one. Default `client`. */
  readonly by?: "client" | "operator";
}

const { defineRule } = forTools<
  { refund: { order_id: string; amount: number; customer: string } },
  { orders: { customer: string; total: number } }
>();

/**
 * A refund goes to whoever owns the order, and is no more than it cost. Facts come from the resolver `orders`, which the rule
 * set declares: `{order_id: {customer, total}}`. Parses first: `"9999"`, `true` and `Infinity` are not amounts.
 */
export const refundOwnership = ({ escalateOver, by = "client" }: RefundOwnershipOptions): DefinedRule => {
  if (!isAmount(escalateOver)) throw new RuleDefinitionError("refundOwnership: escalateOver must be an amount above 0");
  const given = { orders: { "ORD-1": { customer: "c1", total: escalateOver * 2 } } };
  const small = { order_id: "ORD-1", customer: "c1", amount: escalateOver / 2 };
  const with_ = (change: Record<string, string | number | boolean | null>) => ({
    event: { action: "refund" as const, args: { ...small, ...change } },
    given,
  });
  return defineRule({
    id: "starter.refund-ownership",
    actions: ["refund"],
    phase: "call",
    async evaluate({ args }, { lookup }) {
      // The types are the author's promise; the agent made none.
      const { order_id, customer, amount }: Record<string, unknown> = args;
      if (typeof order_id !== "string") return block("an order id is a text", { attributedTo: "order_id" });
      if (typeof customer !== "string") return block("a customer id is a text", { attributedTo: "customer" });
      if (!isAmount(amount)) return block("an amount is a number above 0", { attributedTo: "amount" });
      const order = await lookup("orders", order_id);
      if (order === undefined) return block("unknown order", { attributedTo: "order_id" });
      if (order.customer !== customer)
        return block("the order belongs to another customer", { attributedTo: "customer" });
      if (!isAmount(order.total) || amount > order.total)
        return block("more than the order cost", { attributedTo: "amount" });
      if (amount > escalateOver)
        return escalate("a refund this large needs a human's yes", { attributedTo: "amount", by });
      return allow("the order belongs to the customer and cost at least as much");
    },
    examples: [
      { ...with_({}), expect: "allow" },
      { ...with_({ amount: escalateOver }), expect: "allow" },
      { ...with_({ amount: escalateOver * 1.5 }), expect: "escalate" },
      { ...with_({ amount: escalateOver * 3 }), expect: "block" },
      { ...with_({ customer: "c2" }), expect: "block" },
      { ...with_({ order_id: "ORD-2" }), expect: "block" },
      { ...with_({ order_id: "__proto__" }), expect: "block" },
      { ...with_({ order_id: 1 }), expect: "block" },
      { ...with_({ customer: null }), expect: "block" },
      { ...with_({ amount: "9999" }), expect: "block" },
      { ...with_({ amount: true }), expect: "block" },
      { ...with_({ amount: 0 }), expect: "block" },
      { ...with_({ amount: -5 }), expect: "block" },
      { event: { action: "refund", args: {} }, expect: "block" },
    ],
  });
};

const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value > 0;
