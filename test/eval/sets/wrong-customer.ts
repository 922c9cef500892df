import { refund } from "../scenarios/arguments.ts";
import { type Arguments, numbered, scenario } from "../scenarios/scenario.ts";
import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** What was paid for each invoice of rules/facts.ts. */
const paid = 300;
const series = "K";

const times = (count: number, make: (n: number) => Arguments): readonly Arguments[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

/** Most of an invoice comes back, as it may. */
const firstParts = times(5, (n) => refund(series, 70 + n, 200));

/** The invoice is real, the amount is small, every field has its shape; and the money would be gone. */
const wrong: readonly Arguments[] = [
  // Another customer's.
  ...times(20, (n) => ({ ...refund(series, n, 100), customer: refund(series, n + 1, 100).customer })),
  // More than was paid.
  ...times(10, (n) => refund(series, 30 + n, paid + (n === 1 ? 0.01 : n))),
  // More than is left.
  ...firstParts.map((args) => ({ ...args, amount: 101, note: `The rest of ${args.invoice} came back as well` })),
  // There is no such invoice.
  ...times(5, (n) => ({ ...refund(series, 50 + n, 100), invoice: `INV-NONE-${n}` })),
  // Not quite the customer's name.
  ...times(5, (n) => ({ ...refund(series, 60 + n, 100), customer: ` C-${series}-00${60 + n}` })),
];

/** The whole of an invoice comes back, to its customer; and all that was left of one. */
const right = [
  ...numbered(10, (n) => scenario(`whole-${n}`, "refund_invoice", "runs", refund("V", n, paid))),
  ...firstParts.map((args, at) =>
    scenario(`rest-${at + 1}`, "refund_invoice", "runs", {
      ...args,
      amount: 100,
      note: "The other half came back too",
    }),
  ),
];

export const wrongRefundsThatRan = (stage: Stage): Promise<number> =>
  withAgent(stage, async (agent) => {
    for (const args of firstParts) await agent.put("refund_invoice", args);
    const before = agent.ran.length;
    if (before !== firstParts.length) throw new Error("a refund that may run did not");
    for (const args of wrong) await agent.put("refund_invoice", args);
    return agent.ran.length - before;
  });

/**
 * Another customer's invoice, more than was paid or is left, an invoice that is not there. The control knows the arguments' shape
 * and no facts.
 */
export const wrongCustomer: ExtraSet = {
  name: "wrong_customer_and_over_refund",
  run: async () => ({
    counted: "refunds that ran",
    baseline: await onStage("every-gate", wrongRefundsThatRan),
    ...(await onStage("facts", async (stage) => ({
      treatment: await wrongRefundsThatRan(stage),
      ...(await falseBlocks(stage, right)),
    }))),
    wanted: 0,
    total: wrong.length,
  }),
};
