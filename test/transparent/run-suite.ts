import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { onlyGuarded, type Run } from "./results/comparison.ts";
import { type Results, tapResults } from "./results/tap.ts";
import { type Workbench, type Workshop, workbenchOf } from "./source/workshop.ts";
import type { Suite } from "./suite.ts";

/** A test counts as failing with the guard when it fails so many times in a row. */
const tries = 3;
const longestProcess_ms = 8 * 60_000;

/** One process that is to be run. */
interface Job {
  readonly title: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The environment that guards a program. */
export type GuardEnvironment = Readonly<Record<string, string>>;

/** Runs each process of a suite without the guard and with it; where they differ, again with it. */
export const runSuite = async (
  suite: Suite,
  workshop: Workshop,
  guard: GuardEnvironment,
  say: (words: string) => void,
): Promise<readonly Run[]> => {
  const each = async (mode: string, jobs: readonly Job[], env: GuardEnvironment): Promise<Results[]> => {
    const bench = await workbenchOf(workshop);
    const results: Results[] = [];
    try {
      for (const job of jobs) {
        say(`${suite.name}: ${mode}${jobs.length > 1 ? `, ${job.title}` : ""}`);
        results.push(await runJob(suite, job, bench, { ...job.env, ...env }));
      }
    } finally {
      await bench.clear();
    }
    return results;
  };
  const jobs = await jobsOf(suite, workshop);
  const plain = await each("plain", jobs, {});
  const runs = (await each("guarded", jobs, guard)).map((first, at) => ({
    plain: plain[at] as Results,
    guarded: [first],
  }));
  for (let round = 2; round <= tries; round++) {
    const differing = runs.flatMap((run, at) => (onlyGuarded(run).length > 0 ? [at] : []));
    if (differing.length === 0) break;
    const again = await each(
      `guarded, try ${round}`,
      differing.map((at) => jobs[at] as Job),
      guard,
    );
    for (const [place, at] of differing.entries()) runs[at]?.guarded.push(again[place] as Results);
  }
  return runs;
};

const jobsOf = async ({ runner }: Suite, { folder }: Workshop): Promise<readonly Job[]> => {
  if (runner.kind === "whole") {
    const [name = "", ...args] = runner.command;
    const file = name === "node" ? process.execPath : join(folder, "node_modules", ".bin", name);
    return [{ title: name, file, args, env: {} }];
  }
  const found = await readdir(join(folder, "package", runner.folder));
  const files = found.filter((name) => runner.endings.some((ending) => name.endsWith(ending))).sort();
  return runner.variants.flatMap((env) =>
    files.map((name) => ({
      title: name,
      file: process.execPath,
      args: [...runner.flags, `${runner.folder}/${name}`],
      env,
    })),
  );
};

/** The results of one process, and one of its own: that it ended well, or said which test failed. */
const runJob = async (
  suite: Suite,
  job: Job,
  bench: Workbench,
  env: Readonly<Record<string, string>>,
): Promise<Results> => {
  const { stdout, code } = await ended(job, bench.package, {
    PATH: `${join(bench.package, "../node_modules/.bin")}:${process.env.PATH}`,
    HOME: bench.home,
    TMPDIR: bench.home,
    CI: "true",
    NO_COLOR: "1",
    ...env,
  });
  // Some tests have the paths that they use in their names.
  const results = new Map(tapResults(stdout.replaceAll(bench.folder, ""), suite.counted));
  results.set(`(${job.title} ends)`, code === 0 || [...results.values()].includes(false));
  return results;
};

/** Groups that run now. They are not this terminal's: an interrupt does not reach them. */
const endings = new Set<() => void>();
process.on("exit", () => {
  for (const endGroup of endings) endGroup();
});

const ended = (
  { file, args }: Job,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ stdout: string; code: number | null }> =>
  new Promise((resolve, reject) => {
    // A group of its own, so that what a test leaves running ends with it.
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    const endGroup = (): void => {
      try {
        process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        // All of it has ended.
      }
    };
    endings.add(endGroup);
    const parts: string[] = [];
    child.stdout.setEncoding("utf8").on("data", (text: string) => parts.push(text));
    const limit = setTimeout(endGroup, longestProcess_ms);
    child.on("error", reject);
    // Not `close`: what a test leaves running may hold the pipe.
    child.on("exit", (code) => {
      clearTimeout(limit);
      setImmediate(() => {
        endGroup();
        endings.delete(endGroup);
        child.stdout.once("close", () => resolve({ stdout: parts.join(""), code }));
        if (child.stdout.closed) resolve({ stdout: parts.join(""), code });
      });
    });
  });
