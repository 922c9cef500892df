import { BlockedError } from "../../../client-node/index.ts";
import { repeatedSet, timesEach } from "../scenarios/repeated.ts";
import { Agent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** The calls of one moment come over so many connections. */
const connections = 4;

/** Puts every repeat of every call at the same moment; how often tools ran. */
const executionsAtOnce = async (stage: Stage): Promise<number> => {
  const agents = Array.from({ length: connections }, () => new Agent(stage));
  try {
    const calls = repeatedSet.flatMap(({ tool, naive }) =>
      Array.from({ length: timesEach }, (_, time) => (agents[time % connections] as Agent).call(tool, naive)),
    );
    for (const { reason } of (await Promise.allSettled(calls)).filter((one) => one.status === "rejected")) {
      if (!(reason instanceof BlockedError)) throw reason;
    }
    return agents.reduce((sum, { ran }) => sum + ran.length, 0);
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }
};

export const concurrentReplay: ExtraSet = {
  name: "concurrent_replay",
  run: async () => ({
    counted: "executions",
    baseline: await onStage("no-idempotency", executionsAtOnce),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await executionsAtOnce(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: repeatedSet.length,
    total: repeatedSet.length * timesEach,
  }),
};
