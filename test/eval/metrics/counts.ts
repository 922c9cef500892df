import { type Scenario, toolNames } from "../scenarios/scenario.ts";

/** How many of `total` in the runtime without what is measured, and in the runtime with it. */
export interface Counts {
  readonly baseline: number;
  readonly treatment: number;
  readonly total: number;
}

export interface ByTool {
  readonly by_tool: Readonly<Record<string, Counts>>;
}

/** Counts of a set, as a whole and by tool. What is counted is in the two sets of scenario ids. */
export const countsOf = (
  set: readonly Scenario[],
  baseline: ReadonlySet<string>,
  treatment: ReadonlySet<string>,
): Counts & ByTool => {
  const count = (scenarios: readonly Scenario[]): Counts => ({
    baseline: scenarios.filter(({ id }) => baseline.has(id)).length,
    treatment: scenarios.filter(({ id }) => treatment.has(id)).length,
    total: scenarios.length,
  });
  return {
    ...count(set),
    by_tool: Object.fromEntries(toolNames.map((name) => [name, count(set.filter(({ tool }) => tool === name))])),
  };
};
