import { isDeepStrictEqual } from "node:util";
import type { Scenario } from "../scenarios/scenario.ts";
import { safeSet } from "../scenarios/standard.ts";
import { Agent } from "../stage/agent.ts";
import type { Stage } from "../stage/stage.ts";
import type { SetResult } from "./set.ts";

/** Puts the 107 calls that nothing is wrong with, and `more`, by an agent of its own, to the daemon that an extra set was just run on. */
export const falseBlocks = async (
  stage: Stage,
  more: readonly Scenario[] = [],
): Promise<Pick<SetResult, "false_blocks" | "safe">> => {
  const safe = [...safeSet, ...more];
  const agent = new Agent(stage, "eval-bystander");
  let false_blocks = 0;
  try {
    for (const { tool, naive } of safe) {
      const outcome = await agent.put(tool, naive);
      if (outcome.kind !== "ran" || !isDeepStrictEqual({ ...outcome.args }, { ...naive })) false_blocks++;
    }
  } finally {
    await agent.close();
  }
  return { false_blocks, safe: safe.length };
};
