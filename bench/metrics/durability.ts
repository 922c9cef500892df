import { compareLatency, compareThroughput, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";

/** What a receipt that survives the machine costs over one that survives the process. */
export const durability: MetricGroup = {
  name: "durability",
  yields: ["durability_power", "durability_power_pipelined_64"],
  onlyWith: null,
  async measure(bench) {
    const contenders = [
      await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" }),
      await bench.daemon(bench.cores.beside, { rules: 10, durability: "power" }),
    ];
    const [forProcess, forPower] = await compareLatency(bench, "durability", contenders, new Frames(300));
    const [groupedProcess, groupedPower] = await compareThroughput(
      bench,
      "durability, 64 in flight",
      contenders,
      new Frames(3000),
      64,
    );
    if (!forProcess || !forPower || !groupedProcess || !groupedPower) throw new Error("bench: a contender has no runs");
    const shared = { runs: bench.runs, budget: null, holdsBesides: true, floorIs: "durability process" } as const;
    return [
      {
        name: "durability_power",
        title: "one guarded call, p50, receipt durable to power loss (fsync), 10 rules, a core each",
        unit: "us",
        value: forPower.p50_us,
        floor: forProcess.p50_us,
        ratio: ratios(forPower.p50OfRuns, forProcess.p50OfRuns),
        notes: [`p99 ${forPower.p99_us.toFixed(1)} us, with durability process ${forProcess.p99_us.toFixed(1)} us`],
        ...shared,
      },
      {
        name: "durability_power_pipelined_64",
        title: "verdicts a second, 64 in flight, receipts durable to power loss, a core each",
        unit: "verdicts/s",
        value: median(groupedPower),
        floor: median(groupedProcess),
        ratio: ratios(groupedPower, groupedProcess),
        notes: [],
        ...shared,
      },
    ];
  },
};
