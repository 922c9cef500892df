// Held by `tsc --noEmit`: each @ts-expect-error below must be an error, everything else must not be.
import { allow, block, defineRules, escalate, forTools, remove, rewrite, rewriteResult } from "interlock/rules";

// The example of the design, word for word.
export const plain = defineRules({
  id: "refunds",
  version: 3,
  rules: [
    {
      id: "refunds.owner",
      actions: ["refund"],
      phase: "call",
      async evaluate(event, { lookup }) {
        const order = await lookup("orders", event.args.order_id);
        if (!order) return block("unknown order", { attributedTo: "order_id" });
        if (order.customer !== event.args.customer)
          return block("order belongs to another customer", { attributedTo: "order_id" });
      },
      examples: [
        {
          event: { action: "refund", args: { order_id: "ORD-1", customer: "c2" } },
          given: { orders: { "ORD-1": { customer: "c1" } } },
          expect: "block",
        },
      ],
    },
  ],
});

interface Tools {
  refund: { order_id: string; amount: number; customer: string; note?: string };
  mail: { to: string; body: string };
}
interface Facts {
  orders: { customer: string; total: number };
}
const typed = forTools<Tools, Facts>();
const examples = [{ event: { action: "refund", args: {} }, expect: "silent" }] as const;

export const good = typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r1",
      actions: ["refund"],
      phase: "call",
      async evaluate(event, { lookup }) {
        const order = await lookup("orders", event.args.order_id);
        const total: number | undefined = order?.total;
        if (total !== undefined && event.args.amount > total) return rewrite({ amount: total, note: remove });
        return event.args.amount > 100 ? escalate("large", { by: "operator" }) : allow();
      },
      examples,
    },
    {
      id: "r2",
      actions: ["mail", "refund"],
      phase: "call",
      evaluate(event) {
        if (event.action === "mail") return rewrite({ body: event.args.body.trim() });
        return event.args.amount > 0 ? undefined : block("no amount");
      },
      examples,
    },
    {
      id: "r3",
      actions: ["fs.*"],
      phase: "result",
      evaluate: (event) => (event.args.secret ? rewriteResult({}) : undefined),
      examples: [{ event: { action: "fs.readFile", args: {} }, expect: "silent" }],
    },
  ],
  resolvers: { orders: async () => ({ customer: "c", total: 1 }) },
});

typed.defineRules({
  id: "a",
  version: 1,
  // @ts-expect-error: a misspelt action
  rules: [{ id: "r", actions: ["refnd"], phase: "call", evaluate: () => undefined, examples: [] }],
});

typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    // @ts-expect-error: a rewrite to a wrong type
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      evaluate: () => rewrite({ amount: "9999" }),
      examples,
    },
  ],
});

typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    // @ts-expect-error: a required argument taken away
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      evaluate: () => rewrite({ amount: remove }),
      examples,
    },
  ],
});

typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      // @ts-expect-error: no such argument
      evaluate: (event) => (event.args.ammount ? block("x") : undefined),
      examples,
    },
  ],
});

typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      // @ts-expect-error: no such resolver
      evaluate: async (_event, { lookup }) => ((await lookup("ordres", "x")) ? block("x") : undefined),
      examples,
    },
  ],
});

defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      // @ts-expect-error: not an answer
      evaluate: () => ({ verdict: "blok" }),
      examples: [{ event: { action: "refund", args: {} }, expect: "block" }],
    },
  ],
});

defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r",
      actions: ["refund"],
      phase: "call",
      evaluate: () => block("x"),
      // @ts-expect-error: not a verdict
      examples: [{ event: { action: "refund", args: {} }, expect: "blok" }],
    },
  ],
});

typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    // @ts-expect-error: a result is never escalated
    {
      id: "r",
      actions: ["refund"],
      phase: "result",
      evaluate: () => escalate("x"),
      examples: [{ event: { action: "refund", args: {} }, expect: "block" }],
    },
  ],
});

defineRules({
  id: "a",
  version: 1,
  rules: [
    {
      id: "r",
      actions: ["refund"],
      // @ts-expect-error: not a phase
      phase: "before",
      evaluate: () => undefined,
      examples: [{ event: { action: "refund", args: {} }, expect: "silent" }],
    },
  ],
});

// @ts-expect-error: a reason is needed
block();
// @ts-expect-error: an argument is named, not indexed
block("x", { attributedTo: 2 });
// @ts-expect-error: only these two may say yes
escalate("x", { by: "agent" });

// Rules of their own files fit a plain set and a typed one.
const shared = typed.defineRule({
  id: "s",
  actions: ["refund"],
  phase: "call",
  evaluate: (event) => (event.args.amount > 1 ? block("x") : undefined),
  examples,
});
const several: readonly (typeof shared)[] = [shared];
defineRules({ id: "a", version: 1, rules: [shared, ...several] });
typed.defineRules({
  id: "a",
  version: 1,
  rules: [
    shared,
    ...several,
    typed.defineRule({
      id: "r",
      actions: ["mail"],
      phase: "call",
      evaluate: (event) => (event.args.to === "" ? block("x") : undefined),
      examples: [{ event: { action: "mail", args: {} }, expect: "silent" }],
    }),
  ],
});
