import { isGuarded } from "../../client-node/guarded.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { Metric, MetricGroup } from "../metric.ts";
import { median, quantile } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const callsABlock = 1000;

type Built = typeof import("../../client-node/index.ts");

/** The compiled client, since the bridge's thread is a compiled file. */
const built = (): Promise<Built> =>
  import(new URL("../../client-node/dist/client-node/index.js", import.meta.url).href) as Promise<Built>;

/** Latencies of one block of `fs.statSync`, and of `fs.promises.stat`, through the guard. */
const measureOn = async (bench: Workbench, where: "one" | "two"): Promise<Metric> => {
  const cores = where === "one" ? bench.cores.client : bench.cores.beside;
  const { server } = await bench.daemon(cores, { rules: 10, durability: "process" });
  const { RemoteEngine, installInterceptors } = await built();
  const engine = new RemoteEngine(server.socketPath);
  bench.onClose(() => engine.close());
  const { default: fs } = await import("node:fs");
  const { uninstall } = installInterceptors({ engine, exec: false, http: false, net: false });
  try {
    if (!isGuarded(fs.statSync) || !isGuarded(fs.promises.stat)) throw new Error("bench: fs is not guarded");
    const timed = async (call: () => unknown): Promise<number> => {
      const latencies_us = new Float64Array(callsABlock);
      for (let at = 0; at < callsABlock; at += 1) {
        const started_ms = performance.now();
        const result = call();
        if (result instanceof Promise) await result;
        latencies_us[at] = (performance.now() - started_ms) * 1000;
      }
      return quantile(latencies_us, 0.5);
    };
    const contenders = [() => timed(() => fs.promises.stat("/tmp")), () => timed(() => fs.statSync("/tmp"))];
    for (const warmUp of [...contenders, ...contenders]) await warmUp();
    const onRun = (run: number) => bench.progress(`synchronous call, ${where}: run ${run + 1}/${bench.runs}`);
    const [later, atOnce] = await alternate(bench.runs, contenders, onRun);
    if (later === undefined || atOnce === undefined) throw new Error("bench: a contender has no runs");
    return {
      name: where === "one" ? "sync_call_one_core" : "sync_call_two_cores",
      title: `fs.statSync through the guard, p50, 10 rules, ${where === "one" ? "everything on one core" : "a core each"}`,
      unit: "us",
      value: median(atOnce),
      floor: median(later),
      floorIs: "fs.promises.stat through the guard",
      ratio: ratios(atOnce, later),
      runs: bench.runs,
      budget: { holds: "ratio at most", limit: where === "one" ? 2 : 1.15 },
      holdsBesides: true,
      notes: [],
    };
  } finally {
    uninstall();
  }
};

/** What waiting costs: a guarded call that returns at once, over the same call that answers a promise. */
export const syncCall: MetricGroup = {
  name: "sync_call",
  yields: ["sync_call_two_cores", "sync_call_one_core"],
  onlyWith: null,
  async measure(bench) {
    return [await measureOn(bench, "two"), await measureOn(bench, "one")];
  },
};
