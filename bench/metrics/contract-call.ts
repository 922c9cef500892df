import { compareLatency, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { matchingRules } from "../rule-set.ts";

/** What a contract costs a call: read, looked up, judged by a policy, claimed, and written down before its answer. */
export const contractCall: MetricGroup = {
  name: "contract",
  yields: ["contract_call"],
  onlyWith: null,
  async measure(bench) {
    const choices = { rules: matchingRules, durability: "process" } as const;
    const contenders = [
      await bench.daemon(bench.cores.beside, choices),
      await bench.daemon(bench.cores.beside, { ...choices, covers: "contract" }),
    ];
    const [plain, covered] = await compareLatency(bench, "a call with a contract", contenders, new Frames(2000));
    if (plain === undefined || covered === undefined) throw new Error("bench: a contender has no runs");
    return [
      {
        name: "contract_call",
        title: "one guarded call with idempotency, evidence and policy, p50, durable, SQLite, a core each",
        unit: "us",
        value: covered.p50_us,
        floor: plain.p50_us,
        floorIs: "the same call without a contract",
        ratio: ratios(covered.p50OfRuns, plain.p50OfRuns),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 1.6 },
        holdsBesides: true,
        notes: [
          `server on-CPU ${covered.onCpu_us.toFixed(1)} us a verdict, without a contract ${plain.onCpu_us.toFixed(1)} us`,
          `p99 ${covered.p99_us.toFixed(1)} us, without a contract ${plain.p99_us.toFixed(1)} us`,
        ],
      },
    ];
  },
};
