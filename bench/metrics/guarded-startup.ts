import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import type { Metric, MetricGroup } from "../metric.ts";
import { median } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const hook = (name: string): string =>
  fileURLToPath(new URL(`../../client-node/dist/client-node/intercept/${name}`, import.meta.url));

/** From exec to exit of a program that does nothing. */
const wholeRun_ms = async (bench: Workbench, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const started_ms = performance.now();
  const child = spawn("taskset", ["-c", bench.cores.both, process.execPath, ...args], {
    stdio: "ignore",
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`bench: the program ended with ${code}`);
  return performance.now() - started_ms;
};

/** What the preload adds to the start of a program that has a file and asks for nothing else. */
export const guardedStartup: MetricGroup = {
  name: "guarded_startup",
  yields: ["guarded_startup_import", "guarded_startup_require"],
  onlyWith: null,
  async measure(bench) {
    const { server } = await bench.daemon(bench.cores.both, { rules: 10, durability: "process" });
    const env = { INTERLOCK_SOCKET: server.socketPath };
    const measured: Metric[] = [];
    for (const [name, file, preload] of [
      ["guarded_startup_import", "program.mjs", ["--import", hook("esm-hook.js")]],
      ["guarded_startup_require", "program.cjs", ["--require", hook("require-hook.cjs")]],
    ] as const) {
      const program = bench.filePath(file);
      writeFileSync(program, "");
      const contenders = [
        () => wholeRun_ms(bench, [program], {}),
        () => wholeRun_ms(bench, [...preload, program], env),
      ];
      for (const warmUp of contenders) await warmUp();
      const onRun = (run: number) => bench.progress(`${name}: run ${run + 1}/${bench.runs}`);
      const [bare, guarded] = await alternate(bench.runs, contenders, onRun);
      if (bare === undefined || guarded === undefined) throw new Error("bench: a contender has no runs");
      measured.push({
        name,
        title: `an empty ${file} with ${preload[0]}, from exec to exit, on both cores`,
        unit: "ms",
        value: median(guarded),
        floor: median(bare),
        floorIs: "the same program without the preload",
        ratio: ratios(guarded, bare),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 2 },
        holdsBesides: true,
        notes: [],
      });
    }
    return measured;
  },
};
