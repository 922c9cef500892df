import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { approvedCalls, ranAfter, ranAtOnce } from "./approved-calls.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const tighten = async (stage: Stage): Promise<void> => {
  await stage.putRules("tightened");
  await stage.mustInterlock("rules", "reload");
};

/** Between a yes and its use the policy changes, and denies what was approved: today's rules count. */
export const policyTightened: ExtraSet = {
  name: "policy_tightened",
  run: async () => ({
    counted: "calls that ran",
    baseline: await ranAtOnce(),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await withAgent(stage, (agent) => ranAfter(stage, agent, () => tighten(stage))),
      ...(await falseBlocks(stage)),
    }))),
    wanted: 0,
    total: approvedCalls.length,
  }),
};
