/** Rules that look at the benchmark's call and have no opinion on it: the price of judging, not of a verdict. */
const matching = (at: number): string => `{
    id: "bench.refund.${at}",
    actions: ["refund"],
    phase: "call",
    evaluate(event) {
      const { amount, customer, order_id } = event.args;
      if (typeof amount !== "number" || amount > ${1000 + at}) return block("amount too large", { attributedTo: "amount" });
      if (typeof order_id !== "string" || !order_id.startsWith("ORD-")) return block("not an order", { attributedTo: "order_id" });
      if (customer === "blocked-${at}") return block("customer is blocked", { attributedTo: "customer" });
      return undefined;
    },
    examples: [
      { event: { action: "refund", args: { amount: 40, customer: "c", order_id: "ORD-1" } }, expect: "silent" },
      { event: { action: "refund", args: { amount: 9000, customer: "c", order_id: "ORD-1" } }, expect: "block" },
    ],
  }`;

const other = (at: number): string => `{
    id: "bench.other.${at}",
    actions: ["other_${at}"],
    phase: "call",
    evaluate: () => block("never"),
    examples: [{ event: { action: "other_${at}", args: {} }, expect: "block" }],
  }`;

/** How many of the rules match the benchmark's call, however many there are. */
export const matchingRules = 10;

/** A contract for the benchmark's call with everything that a contract has, and a policy that looks at it. */
const contract = `
  tools: [
    defineTool({
      name: "refund",
      effect: "write",
      args: z.strictObject({
        amount: z.number().positive(),
        customer: z.string().min(1),
        note: z.string(),
        order_id: z.string().min(1),
      }),
      bounds: { amount: { max: 1000 } },
    }),
  ],
  policies: [{ id: "refund.ceiling", tools: ["refund"], when: { amount: { gt: 5000 } }, then: "deny" }],`;

/** The TypeScript source of a rule set of `count` rules, 10 of which match. */
export const ruleSetSource = (count: number, covers: "rules" | "contract"): string => {
  const rules = Array.from({ length: count }, (_, at) => (at < matchingRules ? matching(at) : other(at)));
  return `import { block, defineRules } from "interlock/rules";
${covers === "contract" ? 'import { defineTool, z } from "interlock/contracts";' : ""}

export default defineRules({
  id: "bench",
  version: 1,${covers === "contract" ? contract : ""}
  rules: [${rules.join(", ")}],
});
`;
};
