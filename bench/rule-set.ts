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

/** The TypeScript source of a rule set of `count` rules, 10 of which match. */
export const ruleSetSource = (count: number): string => {
  const rules = Array.from({ length: count }, (_, at) => (at < matchingRules ? matching(at) : other(at)));
  return `import { block, defineRules } from "interlock/rules";

export default defineRules({
  id: "bench",
  version: 1,
  rules: [${rules.join(", ")}],
});
`;
};
