import { refund } from "../scenarios/arguments.ts";
import type { Arguments } from "../scenarios/scenario.ts";
import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const customers = 5;
const parts = 20;
const amount = 99;
/** Of 500 a day. */
const partsWithinBudget = 5;

const part = (customer: number, n: number): Arguments => ({
  ...refund(`P${customer}`, n, amount),
  customer: `C-P-${customer}`,
});

/** All parts of all customers at the same moment; how many refunds ran. */
export const partsThatRan = (stage: Stage): Promise<number> =>
  withAgent(stage, async (agent) => {
    const calls = Array.from({ length: customers * parts }, (_, at) =>
      part(at % customers, Math.floor(at / customers) + 1),
    );
    await Promise.all(calls.map((args) => agent.put("refund_invoice", args)));
    return agent.ran.length;
  });

/** A large refund in small parts, each below every threshold. The control has no budget. */
export const splitRefunds: ExtraSet = {
  name: "split_refunds",
  run: async () => ({
    counted: "refunds that ran",
    baseline: await onStage("every-gate", partsThatRan),
    ...(await onStage("budget", async (stage) => ({
      treatment: await partsThatRan(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: customers * partsWithinBudget,
    total: customers * parts,
  }),
};
