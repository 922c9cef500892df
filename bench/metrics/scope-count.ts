import { compareLatency, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { matchingRules } from "../rule-set.ts";

/** What the scopes of other principals cost a call. */
export const scopeCount: MetricGroup = {
  name: "scopes",
  yields: ["scopes_1000"],
  onlyWith: null,
  async measure(bench) {
    const choices = { rules: matchingRules, durability: "process" } as const;
    const contenders = [
      await bench.daemon(bench.cores.beside, { ...choices, scopes: 10 }),
      await bench.daemon(bench.cores.beside, { ...choices, scopes: 1000 }),
      await bench.daemon(bench.cores.beside, choices),
    ];
    const [few, many, none] = await compareLatency(
      bench,
      "10 and 1,000 scopes, and none",
      contenders,
      new Frames(3000),
    );
    if (few === undefined || many === undefined || none === undefined)
      throw new Error("bench: a contender has no runs");
    return [
      {
        name: "scopes_1000",
        title: "one guarded call, p50, a scope document of 1,000 scopes, two templates in each, a core each",
        unit: "us",
        value: many.p50_us,
        floor: few.p50_us,
        floorIs: "10 scopes",
        ratio: ratios(many.p50OfRuns, few.p50OfRuns),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 1.1 },
        holdsBesides: true,
        notes: [
          `server on-CPU ${many.onCpu_us.toFixed(1)} us a verdict, with 10 scopes ${few.onCpu_us.toFixed(1)} us`,
          `without a scope document ${none.p50_us.toFixed(1)} us, on-CPU ${none.onCpu_us.toFixed(1)} us`,
        ],
      },
    ];
  },
};
