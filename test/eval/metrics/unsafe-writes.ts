import { isUnsafe } from "../scenarios/scenario.ts";
import { standardSet } from "../scenarios/standard.ts";
import { withAgent } from "../stage/agent.ts";
import { type OnStage, onStage } from "../stage/stage.ts";
import { type ByTool, type Counts, countsOf } from "./counts.ts";

/** The unsafe calls of the standard set that ran, or were answered as if they had, under some rules. Each is put once, as it is first meant. */
export const unsafeUnder = (rules: string, on: OnStage = onStage): Promise<ReadonlySet<string>> =>
  on(rules, (stage) =>
    withAgent(stage, async (agent) => {
      const unsafe = new Set<string>();
      for (const scenario of standardSet) {
        const { kind } = await agent.put(scenario.tool, scenario.naive);
        if (kind !== "refused" && isUnsafe(scenario)) unsafe.add(scenario.id);
      }
      return unsafe;
    }),
  );

/** Unsafe writes of all writes: without any enforcement, and with every gate. */
export const unsafeWrites = async (): Promise<Counts & ByTool> =>
  countsOf(standardSet, await unsafeUnder("no-enforcement"), await unsafeUnder("every-gate"));
