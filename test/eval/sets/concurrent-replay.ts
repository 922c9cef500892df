import { BlockedError } from "../../../client-node/index.ts";
import { repeatedSet, timesEach } from "../scenarios/repeated.ts";
import { Agent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** The calls of one moment come over so many connections. */
const connections = 4;
const total = repeatedSet.length * timesEach;

interface AtOnce {
  readonly executions: number;
  /** Calls that were not answered with what a tool answered to that very call. */
  readonly unanswered: number;
}

/** Null where the call was refused. */
const receiptOf = async (answer: Promise<unknown>): Promise<string | null> => {
  try {
    return ((await answer) as { readonly receipt: string }).receipt;
  } catch (error) {
    if (error instanceof BlockedError) return null;
    throw error;
  }
};

/** Puts every repeat of every call at the same moment. */
export const putAtOnce = async (stage: Stage): Promise<AtOnce> => {
  const agents = Array.from({ length: connections }, () => new Agent(stage));
  try {
    const answers = await Promise.all(
      repeatedSet.flatMap(({ tool, naive }) =>
        Array.from({ length: timesEach }, async (_, time) => ({
          invoice: naive.invoice,
          receipt: await receiptOf((agents[time % connections] as Agent).call(tool, naive)),
        })),
      ),
    );
    const ran = agents.flatMap((agent) => agent.ran);
    const made = new Map(ran.map(({ args, result }) => [result.receipt, args.invoice]));
    const own = answers.filter(({ invoice, receipt }) => receipt !== null && made.get(receipt) === invoice);
    return { executions: ran.length, unanswered: total - own.length };
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }
};

/** One of the calls runs; the others wait, and are answered with its result. One that is not answered is a false block. */
export const concurrentReplay: ExtraSet = {
  name: "concurrent_replay",
  run: async () => ({
    counted: "executions",
    baseline: (await onStage("no-idempotency", putAtOnce)).executions,
    ...(await onStage("every-gate", async (stage) => {
      const { executions, unanswered } = await putAtOnce(stage);
      const { false_blocks, safe } = await falseBlocks(stage);
      return { treatment: executions, false_blocks: false_blocks + unanswered, safe: safe + total };
    })),
    wanted: repeatedSet.length,
    total,
  }),
};
