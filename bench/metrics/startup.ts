import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { alternate } from "../alternate.ts";
import { ratios } from "../compare.ts";
import { Frames } from "../frames.ts";
import type { MetricGroup } from "../metric.ts";
import { RawConnection } from "../raw-connection.ts";
import { ServerProcess } from "../server-process.ts";
import { median } from "../statistics.ts";
import type { Workbench } from "../workbench.ts";

const nodeStart_ms = async (cores: string): Promise<number> => {
  const started_ms = performance.now();
  const child = spawn("taskset", ["-c", cores, process.execPath, "-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return performance.now() - started_ms;
};

/** From exec to the first verdict; then the daemon is ended. The same state directory each time, as in a restart. */
const firstVerdict_ms = async (bench: Workbench, args: readonly string[], frame: Frames): Promise<number> => {
  bench.renumber(frame);
  const started_ms = performance.now();
  const server = await ServerProcess.start(bench.cores.both, args);
  try {
    const connection = await RawConnection.open(server.socketPath, "verdicts");
    await connection.oneAtATime(frame);
    const taken_ms = performance.now() - started_ms;
    connection.close();
    return taken_ms;
  } finally {
    await server.stop();
  }
};

const built = (name: string): string => fileURLToPath(new URL(`../../dist/bin/${name}.js`, import.meta.url));

/** What to start `node` with for a daemon as `interlock init` sets it up: its starter set, its configuration. */
const starterArguments = async (bench: Workbench): Promise<readonly string[]> => {
  const [home, root] = [bench.filePath("starter"), bench.filePath("starter-root")];
  await mkdir(root);
  await promisify(execFile)(process.execPath, [built("interlock"), "init", "--home", home, "--root", root]);
  return [
    built("interlock-sidecar"),
    ...["--config", join(home, "interlock.yaml")],
    ...["--state", join(home, "state")],
    ...["--socket", bench.socketPath()],
    ...["--unknown", "allow"],
  ];
};

export const startup: MetricGroup = {
  name: "startup",
  yields: ["startup", "startup_packs"],
  onlyWith: null,
  async measure(bench) {
    const args = await bench.daemonArguments({ rules: 10, durability: "process" });
    const frame = new Frames(1);
    const packsArgs = await starterArguments(bench);
    const contenders = [
      () => nodeStart_ms(bench.cores.both),
      () => firstVerdict_ms(bench, args, frame),
      () => firstVerdict_ms(bench, packsArgs, frame),
    ];
    for (const warmUp of contenders) await warmUp();
    const onRun = (run: number) => bench.progress(`start-up: run ${run + 1}/${bench.runs}`);
    const [bare, daemon, packs] = await alternate(bench.runs, contenders, onRun);
    if (bare === undefined || daemon === undefined || packs === undefined)
      throw new Error("bench: a contender has no runs");
    return [
      {
        name: "startup",
        title: "from exec to the first verdict, 10 rules, state directory from before, server on both cores",
        unit: "ms",
        value: median(daemon),
        floor: median(bare),
        floorIs: "node -e 0",
        ratio: ratios(daemon, bare),
        runs: bench.runs,
        budget: { holds: "ratio at most", limit: 2.5 },
        holdsBesides: true,
        notes: [],
      },
      {
        name: "startup_packs",
        title: "the same with the starter set of `interlock init`, whose examples have held before",
        unit: "ms",
        value: median(packs),
        floor: median(bare),
        floorIs: "node -e 0",
        ratio: ratios(packs, bare),
        runs: bench.runs,
        budget: null,
        holdsBesides: true,
        notes: [],
      },
    ];
  },
};
