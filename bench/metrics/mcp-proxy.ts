import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { RemoteEngine } from "../../client-node/index.ts";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { MetricGroup } from "../metric.ts";
import { median, quantile } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const callsABlock = 500;
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const everything = at("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** A host of the session era that makes one call after the other. */
class Host {
  readonly #ask: (message: object) => Promise<unknown>;
  #id = 0;

  constructor(ask: (message: object) => Promise<unknown>) {
    this.#ask = ask;
  }

  static start(bench: Workbench, args: readonly string[]): Host {
    const child = spawn("taskset", ["-c", bench.cores.both, process.execPath, ...args], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    bench.onClose(async () => void child.kill("SIGKILL"));
    const waiting = new Map<number, (message: unknown) => void>();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line) as { readonly id?: number; readonly method?: string };
      if (message.method === undefined && message.id !== undefined) waiting.get(message.id)?.(message);
    });
    return new Host((message) => {
      const { id } = message as { readonly id?: number };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      if (id === undefined) return Promise.resolve();
      return new Promise((resolve, reject) => {
        child.once("exit", reject);
        waiting.set(id, (answer) => {
          waiting.delete(id);
          child.off("exit", reject);
          resolve(answer);
        });
      });
    });
  }

  async open(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await this.#ask({ id: ++this.#id, method: "initialize", params });
    await this.#ask({ method: "notifications/initialized" });
  }

  /** Median of one block, in microseconds. */
  async block(): Promise<number> {
    const latencies_us = new Float64Array(callsABlock);
    for (let call = 0; call < callsABlock; call++) {
      const params = { name: "echo", arguments: { message: `number ${call}` } };
      const started_ms = performance.now();
      const answer = await this.#ask({ id: ++this.#id, method: "tools/call", params });
      latencies_us[call] = (performance.now() - started_ms) * 1000;
      if (JSON.stringify(answer).includes("isError")) throw new Error("bench: a call was blocked");
    }
    return quantile(latencies_us, 0.5);
  }
}

/** One guarded call by itself: its question and its result, as any client puts them. */
const guardedCalls = async (engine: RemoteEngine, first: number): Promise<number> => {
  const latencies_us = new Float64Array(callsABlock);
  for (let call = 0; call < callsABlock; call++) {
    const call_id = `bench-${first + call}`;
    const words = `number ${call}`;
    const started_ms = performance.now();
    await engine.evaluate({ action: "echo", args: { message: words }, call_id });
    await engine.evaluate({
      action: "echo",
      args: { content: [{ type: "text", text: `Echo: ${words}` }] },
      phase: "result",
      call_id,
    });
    latencies_us[call] = (performance.now() - started_ms) * 1000;
  }
  return quantile(latencies_us, 0.5);
};

/**
 * What `interlock mcp` adds to a call of a real server: held to one guarded call and a hop of its own. The floor is therefore a call
 * through a relay of the same transports that only carries, and a guarded call of no server beside it, each measured in the same run.
 */
export const mcpProxy: MetricGroup = {
  name: "mcp_proxy",
  yields: ["mcp_proxy_call"],
  onlyWith: null,
  async measure(bench) {
    const { server } = await bench.daemon(bench.cores.both, { rules: 10, durability: "process" });
    const bareRelay = bench.filePath("mcp-bare-relay.mjs");
    await build({
      entryPoints: [at("../servers/mcp-bare-relay.ts")],
      outfile: bareRelay,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    const target = [process.execPath, everything, "stdio"];
    const bare = Host.start(bench, [bareRelay, ...target]);
    const proxy = at("../../dist/bin/interlock.js");
    const guarded = Host.start(bench, [proxy, "mcp", "--socket", server.socketPath, "--", ...target]);
    const engine = new RemoteEngine(server.socketPath);
    bench.onClose(() => engine.close());
    let calls = 0;
    const asked = () => {
      calls += callsABlock;
      return guardedCalls(engine, calls);
    };
    const contenders = [() => bare.block(), asked, () => guarded.block()];
    for (const host of [bare, guarded]) await host.open();
    for (const warmUp of [...contenders, ...contenders]) await warmUp();
    const onRun = (run: number) => bench.progress(`MCP proxy: run ${run + 1}/${bench.runs}`);
    const [relayed, questions, judged] = await alternate(bench.runs, contenders, onRun);
    if (relayed === undefined || questions === undefined || judged === undefined)
      throw new Error("bench: a contender has no runs");
    const floor = relayed.map((hop_us, run) => hop_us + (questions[run] as number));
    return [
      {
        name: "mcp_proxy_call",
        title: "one tools/call of server-everything through interlock mcp, p50, call and result judged, 10 rules",
        unit: "us",
        value: median(judged),
        floor: median(floor),
        floorIs: "the same call through a relay that judges nothing, and one guarded call beside it",
        ratio: ratios(judged, floor),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 1.5 },
        holdsBesides: true,
        notes: [
          `the relay alone ${median(relayed).toFixed(0)} us (ratio to it ${ratios(judged, relayed).median.toFixed(2)}), the guarded call alone ${median(questions).toFixed(0)} us`,
        ],
      },
    ];
  },
};
