import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface TestProcess {
  readonly child: ChildProcess;
  readonly lines: AsyncIterableIterator<string>;
  /** Kills it with no chance to clean up, and waits until it is gone. */
  kill(): Promise<void>;
}

/** For tests: runs a module of this project in a process of its own, with `shell` in front of it where one is given. */
export const runModule = (path: string, args: readonly string[], shell = ""): TestProcess => {
  const command = `${shell} exec "$0" --import tsx "$@"`;
  const child = spawn("/bin/sh", ["-c", command, process.execPath, path, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return { child, lines, kill };
};

export const nextLine = async ({ lines }: TestProcess): Promise<string> => {
  const { value, done } = await lines.next();
  if (done) throw new Error("the process ended");
  return value;
};

export const moduleAt = (url: URL): string => fileURLToPath(url);
