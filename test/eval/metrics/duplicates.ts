import { repeatedSet, timesEach } from "../scenarios/repeated.ts";
import { withAgent } from "../stage/agent.ts";
import { type OnStage, onStage } from "../stage/stage.ts";
import type { Counts } from "./counts.ts";

/** How often tools ran while each call was put `timesEach` times, one after the other. */
export const executionsUnder = (rules: string, on: OnStage = onStage): Promise<number> =>
  on(rules, (stage) =>
    withAgent(stage, async (agent) => {
      for (const { tool, naive } of repeatedSet) {
        for (let time = 0; time < timesEach; time++) await agent.put(tool, naive);
      }
      return agent.ran.length;
    }),
  );

/** Executions of all submissions: with evidence and policy alone, and with idempotency too. */
export const duplicates = async (): Promise<Counts> => ({
  baseline: await executionsUnder("no-idempotency"),
  treatment: await executionsUnder("every-gate"),
  total: repeatedSet.length * timesEach,
});
