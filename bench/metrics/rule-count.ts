import { compareLatency, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { matchingRules } from "../rule-set.ts";

/** What rules that do not match cost a call. */
export const ruleCount: MetricGroup = {
  name: "rules",
  yields: ["rules_1000"],
  onlyWith: null,
  async measure(bench) {
    const contenders = [
      await bench.daemon(bench.cores.beside, { rules: matchingRules, durability: "process" }),
      await bench.daemon(bench.cores.beside, { rules: 1000, durability: "process" }),
    ];
    const [few, many] = await compareLatency(bench, "10 and 1,000 rules", contenders, new Frames(3000));
    if (few === undefined || many === undefined) throw new Error("bench: a contender has no runs");
    return [
      {
        name: "rules_1000",
        title: `one guarded call, p50, 1,000 rules loaded of which ${matchingRules} match, a core each`,
        unit: "us",
        value: many.p50_us,
        floor: few.p50_us,
        floorIs: `${matchingRules} rules loaded`,
        ratio: ratios(many.p50OfRuns, few.p50OfRuns),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 1.1 },
        holdsBesides: true,
        notes: [
          `server on-CPU ${many.onCpu_us.toFixed(1)} us a verdict, with ${matchingRules} rules ${few.onCpu_us.toFixed(1)} us`,
        ],
      },
    ];
  },
};
