import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { afterAll } from "vitest";

/** How a process ended, and all it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  isAlive(): boolean;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
  /** Run by another user; only root can. */
  readonly uid?: number;
}

const alive = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of alive) child.kill("SIGKILL");
};
afterAll(killAll);
process.on("exit", killAll);

/** Starts `node PROGRAM ARGS`. It is killed when the test file ends, whatever happened. */
export const start = (path: string, args: readonly string[], { env, cwd, input, uid }: RunOptions): Running => {
  const stdio: StdioOptions = ["pipe", "pipe", "pipe"];
  const child = spawn(process.execPath, [path, ...args], {
    stdio,
    env: { PATH: process.env.PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  alive.add(child);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input ?? "");
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        alive.delete(child);
        resolve({ code, signal, stdout, stderr });
      });
    }),
  };
};

/** Waits until it is so; fails, naming what was waited for, when it is not within so long. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  within_ms = 15_000,
): Promise<void> => {
  const last_ms = Date.now() + within_ms;
  while (!(await holds())) {
    if (Date.now() > last_ms) throw new Error(`not within ${within_ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
