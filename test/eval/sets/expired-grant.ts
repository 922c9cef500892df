import { withAgent } from "../stage/agent.ts";
import { onStage } from "../stage/stage.ts";
import { approvedCalls, ranAfter, ranAtOnce } from "./approved-calls.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** Long enough for the command to say yes in time on a busy machine. */
const goodFor_s = 4;

const untilExpired = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, goodFor_s * 1000 + 100));

/** A yes that nobody used in time. In the control it is used at once. */
export const expiredGrant: ExtraSet = {
  name: "expired_grant",
  run: async () => ({
    counted: "calls that ran",
    baseline: await ranAtOnce(),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await withAgent(stage, (agent) => ranAfter(stage, agent, untilExpired, "--until", `${goodFor_s}s`)),
      ...(await falseBlocks(stage)),
    }))),
    wanted: 0,
    total: approvedCalls.length,
  }),
};
