import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const bin = (name: string): string => new URL(`../../dist/bin/${name}.js`, import.meta.url).pathname;

/** Runs one `interlock` command to its end; its output, trimmed. Throws where it exits with anything but 0. */
export const interlock = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [bin("interlock"), ...args]);
  return stdout.trim();
};

const readyWithin_ms = 15_000;

/** Starts the real daemon and waits until it says that it listens. */
export const startSidecar = async (args: readonly string[]): Promise<ChildProcess> => {
  const daemon = spawn(process.execPath, [bin("interlock-sidecar"), ...args], { stdio: ["ignore", "ignore", "pipe"] });
  process.once("exit", () => daemon.kill("SIGKILL"));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the sidecar did not listen: ${said}`)), readyWithin_ms);
    daemon.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (!said.includes("listening on")) return;
      clearTimeout(timer);
      resolve();
    });
    daemon.once("exit", () => reject(new Error(`the sidecar ended: ${said}`)));
  });
  return daemon;
};

/** Ends it as a crash would: no goodbye. */
export const kill = async (daemon: ChildProcess): Promise<void> => {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = once(daemon, "exit");
  daemon.kill("SIGKILL");
  await gone;
};
