import { refund } from "../scenarios/arguments.ts";
import { type Arguments, numbered, scenario } from "../scenarios/scenario.ts";
import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** What rules/facts.ts lets an invoice pay back. */
const refundable = 300;
const series = "K";

const times = (count: number, make: (n: number) => Arguments): readonly Arguments[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

/** The invoice is real, the amount is small, every field has its shape; and the money would be gone. */
const wrong: readonly Arguments[] = [
  ...times(20, (n) => ({ ...refund(series, n, 100), customer: refund(series, n + 1, 100).customer })),
  ...times(10, (n) => refund(series, 30 + n, refundable + (n === 1 ? 0.01 : n))),
  ...times(5, (n) => ({ ...refund(series, 50 + n, 100), invoice: `INV-NONE-${n}` })),
  ...times(5, (n) => ({ ...refund(series, 60 + n, 100), customer: ` C-${series}-00${60 + n}` })),
];

/** The whole of an invoice comes back, to its customer. */
const whole = numbered(10, (n) => scenario(`whole-${n}`, "refund_invoice", "runs", refund("V", n, refundable)));

const refundsThatRan = (stage: Stage): Promise<number> =>
  withAgent(stage, async (agent) => {
    for (const args of wrong) await agent.put("refund_invoice", args);
    return agent.ran.length;
  });

/** Another customer's invoice, more than was paid, an invoice that is not there. The control knows the arguments' shape and no facts. */
export const wrongCustomer: ExtraSet = {
  name: "wrong_customer_and_over_refund",
  run: async () => ({
    counted: "refunds that ran",
    baseline: await onStage("every-gate", refundsThatRan),
    ...(await onStage("facts", async (stage) => ({
      treatment: await refundsThatRan(stage),
      ...(await falseBlocks(stage, whole)),
    }))),
    wanted: 0,
    total: wrong.length,
  }),
};
