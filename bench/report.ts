import { writeFileSync } from "node:fs";
import { arch, cpus, release } from "node:os";
import { isMet, type Metric } from "./metric.ts";

const figure = (value: number): string => {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(1) : value.toPrecision(3);
};

export const machine = (): string =>
  `${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown"}, ${arch()}, Linux ${release()}, Node ${process.versions.node}`;

/** One metric as text: its name and title, its figures, its budget, and its notes. */
export const lines = (metric: Metric): string => {
  const { ratio, budget } = metric;
  const judged =
    budget === null ? "no budget" : `budget: ${budget.holds} ${budget.limit}: ${isMet(metric) ? "ok" : "MISSED"}`;
  return [
    `${metric.name}  (${metric.title})`,
    `  ${figure(metric.value)} ${metric.unit}, ${metric.floorIs} ${figure(metric.floor)} ${metric.unit}`,
    `  ratio ${figure(ratio.median)} (min ${figure(ratio.min)}, max ${figure(ratio.max)}, ${metric.runs} runs); ${judged}`,
    ...metric.notes.map((note) => `  ${note}`),
  ].join("\n");
};

/** Writes `{machine, metrics: {<name>: {value, floor, ratio, unit, budget, ok, ...}}}`. */
export const writeJson = (path: string, metrics: readonly Metric[]): void => {
  const entries = metrics.map((metric) => [
    metric.name,
    {
      value: metric.value,
      floor: metric.floor,
      ratio: metric.ratio.median,
      ratio_min: metric.ratio.min,
      ratio_max: metric.ratio.max,
      runs: metric.runs,
      unit: metric.unit,
      budget: metric.budget?.limit ?? null,
      budget_holds: metric.budget?.holds ?? null,
      ok: isMet(metric),
      title: metric.title,
      floor_is: metric.floorIs,
      notes: metric.notes,
    },
  ]);
  writeFileSync(path, `${JSON.stringify({ machine: machine(), metrics: Object.fromEntries(entries) }, null, 2)}\n`);
};
