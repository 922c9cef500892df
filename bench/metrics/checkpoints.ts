import { compareThroughput, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";

/** So rarely that none is made while this runs, and nothing is hashed for one. */
const none = "checkpoint_receipts: 1000000\ncheckpoint_ms: 3600000\n";

/** What signing the chain costs those who ask: the thread that does it shares the machine with them. */
export const checkpoints: MetricGroup = {
  name: "checkpoints",
  yields: ["checkpoints"],
  onlyWith: null,
  async measure(bench) {
    const choices = { rules: 10, durability: "process" } as const;
    const contenders = [
      await bench.daemon(bench.cores.beside, { ...choices, settings: none }),
      await bench.daemon(bench.cores.beside, choices),
    ];
    const words = "checkpoints, 64 in flight";
    const [without, signing] = await compareThroughput(bench, words, contenders, new Frames(40_000), 64);
    if (without === undefined || signing === undefined) throw new Error("bench: a contender has no runs");
    return [
      {
        name: "checkpoints",
        title:
          "verdicts a second, 64 in flight, with a checkpoint every 4096 receipts or second, 10 rules, a core each",
        unit: "verdicts/s",
        value: median(signing),
        floor: median(without),
        floorIs: "the same daemon without checkpoints",
        ratio: ratios(signing, without),
        runs: bench.runs,
        budget: { holds: "ratio at least", limit: 0.97 },
        holdsBesides: true,
        notes: [],
      },
    ];
  },
};
