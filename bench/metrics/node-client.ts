import { RemoteEngine, Verdict } from "../../client-node/index.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { median, quantile } from "../statistics.ts";

const callsABlock = 2000;

const engineLatencies_us = async (engine: RemoteEngine, first: number): Promise<Float64Array> => {
  const latencies_us = new Float64Array(callsABlock);
  for (let at = 0; at < callsABlock; at += 1) {
    const number = String(first + at);
    const started_ms = performance.now();
    const decision = await engine.evaluate({
      action: "refund",
      args: { amount: 40, customer: "c-77", note: "", order_id: `ORD-${number}` },
      call_id: `c-${number}`,
      principal: "acme/agent42",
    });
    latencies_us[at] = (performance.now() - started_ms) * 1000;
    if (decision.verdict !== Verdict.ALLOW) throw new Error(`bench: not an ALLOW: ${decision.reason}`);
  }
  return latencies_us;
};

/** What our Node client adds to a call, over a client that only writes bytes and reads them. */
export const nodeClient: MetricGroup = {
  name: "node_client",
  yields: ["node_client"],
  onlyWith: null,
  async measure(bench) {
    const { server, connection } = await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" });
    const engine = new RemoteEngine(server.socketPath);
    bench.onClose(() => engine.close());
    const frames = new Frames(callsABlock);
    let calls = 0;
    const raw = async () => quantile(await connection.oneAtATime(bench.renumber(frames)), 0.5);
    const guarded = async () => {
      calls += callsABlock;
      return quantile(await engineLatencies_us(engine, calls), 0.5);
    };
    const contenders = [raw, guarded];
    for (const warmUp of [...contenders, ...contenders]) await warmUp();
    const onRun = (run: number) => bench.progress(`Node client: run ${run + 1}/${bench.runs}`);
    const [bytes, client] = await alternate(bench.runs, contenders, onRun);
    if (bytes === undefined || client === undefined) throw new Error("bench: a contender has no runs");
    return [
      {
        name: "node_client",
        title: "one call through RemoteEngine of the Node client, p50, 10 rules, a core each",
        unit: "us",
        value: median(client),
        floor: median(bytes),
        floorIs: "raw client on the same daemon",
        ratio: ratios(client, bytes),
        runs: bench.runs,
        budget: null,
        holdsBesides: true,
        notes: [],
      },
    ];
  },
};
