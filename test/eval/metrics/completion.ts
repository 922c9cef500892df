import { isDeepStrictEqual } from "node:util";
import type { Scenario } from "../scenarios/scenario.ts";
import { type Agent, withAgent } from "../stage/agent.ts";
import { type OnStage, onStage } from "../stage/stage.ts";
import { type ByTool, type Counts, countsOf } from "./counts.ts";

export interface Completion extends Counts, ByTool {
  /** Completed by the second try alone. */
  readonly recoveries: number;
}

interface Completed {
  readonly ids: ReadonlySet<string>;
  readonly recoveries: number;
}

/** The scenario was completed: a tool ran, and what it was given is what was meant. A run with a bad field is none. */
const completedBy = (scenario: Scenario, outcome: Awaited<ReturnType<Agent["put"]>>): boolean =>
  outcome.kind === "ran" && isDeepStrictEqual({ ...outcome.args }, { ...scenario.intended });

/** Puts each call once and, where `retries`, what was meant a second time after the evidence gate refused the first. */
export const completedUnder = (
  rules: string,
  set: readonly Scenario[],
  retries: boolean,
  on: OnStage = onStage,
): Promise<Completed> =>
  on(rules, (stage) =>
    withAgent(stage, async (agent) => {
      const ids = new Set<string>();
      let recoveries = 0;
      for (const scenario of set) {
        const first = await agent.put(scenario.tool, scenario.naive);
        if (completedBy(scenario, first)) ids.add(scenario.id);
        const isForAgent = first.kind === "refused" && first.code === "evidence_failed";
        if (!retries || !isForAgent || scenario.kind !== "malformed") continue;
        if (!completedBy(scenario, await agent.put(scenario.tool, scenario.intended))) continue;
        ids.add(scenario.id);
        recoveries++;
      }
      return { ids, recoveries };
    }),
  );

/** Calls that did what was meant: with policies alone, and with every gate and one retry. */
export const completion = async (set: readonly Scenario[]): Promise<Completion> => {
  const baseline = await completedUnder("policy-only", set, false);
  const treatment = await completedUnder("every-gate", set, true);
  return { ...countsOf(set, baseline.ids, treatment.ids), recoveries: treatment.recoveries };
};
