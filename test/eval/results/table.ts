import type { Completion } from "../metrics/completion.ts";
import type { Counts } from "../metrics/counts.ts";
import type { SetResult } from "../sets/set.ts";
import type { Evaluation } from "./evaluation.ts";

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;

/** Columns as wide as their widest cell: the first `texts` to the left, numbers to the right. */
const aligned = (texts: number, rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at < texts ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
};

const metric = (name: string, { baseline, treatment, total }: Counts): readonly string[] => [
  name,
  `${baseline}`,
  `${treatment}`,
  `${total}`,
  percent(baseline, total),
  percent(treatment, total),
];

const tools = (counts: Counts & { readonly by_tool?: Readonly<Record<string, Counts>> }) =>
  Object.entries(counts.by_tool ?? {}).map(([tool, of]) => metric(`  ${tool}`, of));

const completed = (name: string, result: Completion): readonly (readonly string[])[] => [
  metric(name, result),
  ...tools(result),
];

const metrics = (evaluation: Evaluation): readonly (readonly string[])[] => {
  const { unsafe_writes, duplicates, completion, completion_focused } = evaluation;
  return [
    ...(unsafe_writes ? [metric("unsafe writes that ran", unsafe_writes), ...tools(unsafe_writes)] : []),
    ...(duplicates ? [metric("executions of repeated calls", duplicates)] : []),
    ...(completion ? completed("completed, standard set", completion) : []),
    ...(completion_focused ? completed("completed, focused set", completion_focused) : []),
  ];
};

const set = ([name, result]: readonly [string, SetResult]): readonly string[] => [
  name,
  result.counted,
  result.baseline === null ? "-" : `${result.baseline}`,
  `${result.treatment}`,
  `${result.wanted}`,
  `${result.total}`,
  `${result.false_blocks}/${result.safe}`,
];

/** The report: one table of the metrics, one of the ablations, one of the extra sets. */
export const report = (evaluation: Evaluation): string => {
  const { ablations, extra } = evaluation;
  const parts: string[] = [];
  const rows = metrics(evaluation);
  if (rows.length > 0) parts.push(...aligned(1, [["", "without", "with", "of", "without", "with"], ...rows]), "");
  if (ablations) {
    const { total, ...left } = ablations;
    const named = Object.entries(left).map(([name, count]) => [name.replace("_", " "), `${count}`, `${total}`]);
    parts.push(...aligned(1, [["unsafe writes that ran", "", "of"], ...named]), "");
  }
  if (extra && Object.keys(extra).length > 0) {
    const head = ["extra set", "counted", "without", "with", "wanted", "of", "false blocks"];
    parts.push(...aligned(2, [head, ...Object.entries(extra).map(set)]), "");
  }
  return parts.join("\n");
};
