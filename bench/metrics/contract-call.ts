import { startPostgres } from "../../test/kit/services/postgres-server.ts";
import { startRedis } from "../../test/kit/services/redis-server.ts";
import { compareLatency, ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { matchingRules } from "../rule-set.ts";
import type { Workbench } from "../workbench.ts";

/** Flags of a daemon that keeps everything in PostgreSQL and agrees on claims in Redis, both on this machine. */
const sharedFlags = async (bench: Workbench): Promise<readonly string[]> => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  bench.onClose(() => postgres.end());
  bench.onClose(() => redis.end());
  return [
    ...["--store", postgres.url],
    ...["--coordination", redis.url],
    ...["--deployment-key", bench.filePath("deployment.key")],
  ];
};

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
    const flags = await sharedFlags(bench);
    const shared = await bench.daemon(bench.cores.beside, { ...choices, covers: "contract", flags });
    const [elsewhere] = await compareLatency(bench, "the same on PostgreSQL and Redis", [shared], new Frames(300));
    if (!plain || !covered || !elsewhere) throw new Error("bench: a contender has no runs");
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
          `on PostgreSQL (which does not wait for the disk here) and Redis on this machine: p50 ${elsewhere.p50_us.toFixed(0)} us, p99 ${elsewhere.p99_us.toFixed(0)} us`,
          `p99 ${covered.p99_us.toFixed(1)} us, without a contract ${plain.p99_us.toFixed(1)} us`,
        ],
      },
    ];
  },
};
