import { compareThroughput, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { Budget, Metric, MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";

const loads: readonly { readonly window: number; readonly calls: number; readonly budget: Budget | null }[] = [
  { window: 1, calls: 3_000, budget: null },
  { window: 8, calls: 10_000, budget: null },
  { window: 64, calls: 20_000, budget: { holds: "ratio at least", limit: 0.4 } },
];

/** Verdicts a second on one connection, against a server that only parses and answers. */
export const pipelined: MetricGroup = {
  name: "pipelined",
  yields: loads.map(({ window }) => `pipelined_${window}`),
  onlyWith: null,
  async measure(bench) {
    const contenders = [
      await bench.floor("parse-and-answer", bench.cores.beside),
      await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" }),
      await bench.floor("parse-and-answer-batched", bench.cores.beside),
    ];
    const metrics: Metric[] = [];
    for (const { window, calls, budget } of loads) {
      const words = `verdicts a second, ${window} in flight`;
      const [floor, subject, batched] = await compareThroughput(bench, words, contenders, new Frames(calls), window);
      if (floor === undefined || subject === undefined || batched === undefined)
        throw new Error("bench: a contender has no runs");
      metrics.push({
        name: `pipelined_${window}`,
        title: `verdicts a second, ${window} in flight on one connection, 10 rules, a core each`,
        unit: "verdicts/s",
        value: median(subject),
        floor: median(floor),
        floorIs: "parse and answer",
        ratio: ratios(subject, floor),
        runs: bench.runs,
        budget,
        holdsBesides: true,
        notes: [
          `for scale, parse and answer with one write a read: ${Math.round(median(batched)).toLocaleString("en")} verdicts/s, ${ratios(subject, batched).median.toFixed(3)}`,
        ],
      });
    }
    return metrics;
  },
};
