import type { Spread } from "./statistics.ts";
import type { Workbench } from "./workbench.ts";

/** What a metric is held to. Judged on the median of the runs. */
export type Budget =
  | { readonly holds: "ratio at most"; readonly limit: number }
  | { readonly holds: "ratio at least"; readonly limit: number }
  | { readonly holds: "value at most"; readonly limit: number };

/** One measured thing, with the floor that was measured in the same blocks of the same run. */
export interface Metric {
  readonly name: string;
  /** What was measured, in words: the thing, the load, the placement. */
  readonly title: string;
  readonly unit: string;
  readonly value: number;
  readonly floor: number;
  /** What the floor is, in words. */
  readonly floorIs: string;
  /** Subject over floor, one of each run, then their spread. */
  readonly ratio: Spread;
  readonly runs: number;
  readonly budget: Budget | null;
  /** A condition besides the budget that the metric has to meet, such as flat memory; true where there is none. */
  readonly holdsBesides: boolean;
  /** Raw figures that go with it, one line each. */
  readonly notes: readonly string[];
}

/** Metrics that are measured together because they share blocks or servers. One file in `metrics/`. */
export interface MetricGroup {
  readonly name: string;
  /** The names of the metrics it yields, in the order of the report. */
  readonly yields: readonly string[];
  /** Too slow for every run: only measured when this flag or its name is given. */
  readonly onlyWith: string | null;
  measure(bench: Workbench): Promise<readonly Metric[]>;
}

export const isMet = (metric: Metric): boolean => {
  if (!metric.holdsBesides) return false;
  if (metric.budget === null) return true;
  const { holds, limit } = metric.budget;
  if (holds === "value at most") return metric.value <= limit;
  return holds === "ratio at most" ? metric.ratio.median <= limit : metric.ratio.median >= limit;
};
