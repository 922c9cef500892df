import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../conformance/running-daemon.ts";

/** How a process ended, and all that it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stderr(): string;
  isAlive(): boolean;
}

const alive = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

const program = (name: "interlock" | "interlock-sidecar"): string => {
  const path = join(packageRoot(), "dist", "bin", `${name}.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing; run npm run build`);
  return path;
};

/** Starts one of the built programs, with nothing of this process's own configuration. It is killed when this process ends. */
export const start = (
  name: "interlock" | "interlock-sidecar",
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Running => {
  const child = spawn(process.execPath, [program(name), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, ...env },
  });
  alive.add(child);
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
    stderr: () => stderr,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        alive.delete(child);
        resolve({ code, stdout, stderr });
      });
    }),
  };
};
