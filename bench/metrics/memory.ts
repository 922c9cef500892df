import { fileURLToPath } from "node:url";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { ServerProcess } from "../server-process.ts";
import { spread } from "../statistics.ts";

const mib = 1024 * 1024;
const calls = 1_000_000;
const callsASample = 20_000;
const inFlight = 64;
/** Over the last half memory may rise by this share of what it was: more is a leak, less is the garbage collector. */
const flatWithin = 0.05;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Resident memory over a million calls: how much, and whether it still grows. */
export const memory: MetricGroup = {
  name: "memory",
  yields: ["memory_rss"],
  onlyWith: "memory",
  async measure(bench) {
    const bareScript = fileURLToPath(new URL("../servers/idle.mjs", import.meta.url));
    const bare = await ServerProcess.start(bench.cores.beside, [bareScript, bench.socketPath()]);
    bench.onClose(() => bare.stop());
    const { server, connection } = await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" });
    const frames = new Frames(callsASample);
    const atStart_mib = server.residentBytes() / mib;
    const samples_mib: number[] = [];
    for (let done = 0; done < calls; done += callsASample) {
      bench.progress(`memory: ${done.toLocaleString("en-US")} of ${calls.toLocaleString("en-US")} calls`);
      await connection.pipelined(bench.renumber(frames), inFlight);
      samples_mib.push(server.residentBytes() / mib);
    }
    // The third quarter against the fourth: single samples depend on when the collector ran.
    const quarter = samples_mib.length / 4;
    const third = mean(samples_mib.slice(quarter * 2, quarter * 3));
    const fourth = mean(samples_mib.slice(quarter * 3));
    const growth = fourth / third - 1;
    const value = Math.max(...samples_mib.slice(quarter * 2));
    const floor = bare.residentBytes() / mib;
    return [
      {
        name: "memory_rss",
        title: `resident memory over ${calls.toLocaleString("en-US")} calls, ${inFlight} in flight, 10 rules, the most of the last half`,
        unit: "MiB",
        value,
        floor,
        floorIs: "bare Node",
        ratio: spread([value / floor]),
        runs: 1,
        budget: { holds: "value at most", limit: 150 },
        holdsBesides: growth <= flatWithin,
        notes: [
          `at the start ${atStart_mib.toFixed(1)} MiB, mean of the third quarter ${third.toFixed(1)}, of the fourth ${fourth.toFixed(1)}`,
          `growth over the last half ${(growth * 100).toFixed(1)} %, at most ${flatWithin * 100} % allowed: ${growth <= flatWithin ? "ok" : "MISSED"}`,
        ],
      },
    ];
  },
};
