import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";

const callsABlock = 2000;
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A Python process that does blocks of calls and answers each with its p50 in microseconds. */
class Blocks {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(cores: string, args: readonly string[]) {
    const env = { ...process.env, PYTHONPATH: at("../../client-python"), PYTHONDONTWRITEBYTECODE: "1" };
    this.#child = spawn("taskset", ["-c", cores, "python3", at("../python/blocks.py"), ...args], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("bench: the Python client has no output");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async p50_us(contender: "echo" | "guarded"): Promise<number> {
    this.#child.stdin?.write(`${contender}\n`);
    const line = await this.#lines.next();
    const value = line.done === true ? Number.NaN : Number(line.value);
    if (!(value > 0)) throw new Error("bench: the Python client ended, or answered no number");
    return value;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    await ended;
  }
}

/** What a guarded call costs in Python, over Python's own echo of the same bytes. */
export const pythonCall: MetricGroup = {
  name: "python_call",
  yields: ["python_call"],
  onlyWith: null,
  async measure(bench) {
    const { server: echo } = await bench.floor("echo", bench.cores.beside);
    const { server: daemon } = await bench.daemon(bench.cores.beside, { rules: 10, durability: "process" });
    const blocks = new Blocks(bench.cores.client, [echo.socketPath, daemon.socketPath, String(callsABlock)]);
    bench.onClose(() => blocks.close());
    const contenders = [() => blocks.p50_us("echo"), () => blocks.p50_us("guarded")];
    for (const warmUp of [...contenders, ...contenders]) await warmUp();
    const onRun = (run: number) => bench.progress(`Python client: run ${run + 1}/${bench.runs}`);
    const [bare, guarded] = await alternate(bench.runs, contenders, onRun);
    if (bare === undefined || guarded === undefined) throw new Error("bench: a contender has no runs");
    return [
      {
        name: "python_call",
        title: "enforce_tool_call of the Python client, p50, receipt durable (process), 10 rules, a core each",
        unit: "us",
        value: median(guarded),
        floor: median(bare),
        floorIs: "an echo of the same bytes, in Python",
        ratio: ratios(guarded, bare),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 1.5 },
        holdsBesides: true,
        notes: [],
      },
    ];
  },
};
