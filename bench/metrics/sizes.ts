import { compareLatency, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { Metric, MetricGroup } from "../metric.ts";

const kib = 1024;
const loads = [
  { name: "args_1kib", words: "1 KiB", bytes: kib, calls: 2000 },
  { name: "args_64kib", words: "64 KiB", bytes: 64 * kib, calls: 300 },
  { name: "args_1mib", words: "1 MiB", bytes: kib * kib, calls: 15 },
];

/** Latency by the size of the arguments, against an echo of the same bytes. */
export const sizes: MetricGroup = {
  name: "sizes",
  yields: loads.map(({ name }) => name),
  onlyWith: null,
  async measure(bench) {
    const contenders = [
      await bench.floor("echo", bench.cores.beside),
      await bench.floor("parse-and-answer", bench.cores.beside),
      await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" }),
    ];
    const metrics: Metric[] = [];
    for (const { name, words, bytes, calls } of loads) {
      const frames = new Frames(calls, bytes);
      const [echo, parse, daemon] = await compareLatency(bench, `${words} of arguments`, contenders, frames);
      if (echo === undefined || parse === undefined || daemon === undefined) {
        throw new Error("bench: a contender has no runs");
      }
      metrics.push({
        name,
        title: `one guarded call, p50, ${words} of arguments, 10 rules, a core each`,
        unit: "us",
        value: daemon.p50_us,
        floor: echo.p50_us,
        floorIs: "bare echo",
        ratio: ratios(daemon.p50OfRuns, echo.p50OfRuns),
        runs: bench.runs,
        budget: null,
        holdsBesides: true,
        notes: [
          `p99 ${daemon.p99_us.toFixed(1)} us`,
          `parse and answer: p50 ${parse.p50_us.toFixed(1)} us; the daemon against it ${ratios(daemon.p50OfRuns, parse.p50OfRuns).median.toFixed(2)} x`,
        ],
      });
    }
    return metrics;
  },
};
