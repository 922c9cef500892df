import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onCpu_ns, residentBytes } from "./process-cost.ts";

const startLimit_ms = 30_000;
const stopLimit_ms = 10_000;

/** The one line of what a server said that tells why it ended. */
const cause = (said: string): string => {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => line.includes("Error")) ?? lines.at(-1) ?? "it said nothing";
};

/** One server of a benchmark: its own process on its own cores, which says on stderr when it listens. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly pid: number;
  readonly socketPath: string;

  private constructor(child: ChildProcess, pid: number, socketPath: string) {
    this.#child = child;
    this.pid = pid;
    this.socketPath = socketPath;
  }

  /** Starts `node ...args` on `cores` and waits for its `listening on <path>` line. */
  static async start(cores: string, args: readonly string[], onStarted = () => {}): Promise<ServerProcess> {
    // taskset becomes node (exec), so that the process id is node's.
    const child = spawn("taskset", ["-c", cores, process.execPath, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    onStarted();
    const socketPath = await new Promise<string>((resolve, reject) => {
      let said = "";
      const limit = setTimeout(
        () => reject(new Error(`bench: no listening line in ${startLimit_ms} ms: ${said}`)),
        startLimit_ms,
      );
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`bench: the server ended with code ${code}: ${cause(said)}`)));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-4096);
        const path = said.match(/listening on (\S+)\n/)?.[1];
        if (path === undefined) return;
        clearTimeout(limit);
        resolve(path);
      });
    });
    return new ServerProcess(child, child.pid as number, socketPath);
  }

  onCpu_ns(): number {
    return onCpu_ns(this.pid);
  }

  residentBytes(): number {
    return residentBytes(this.pid);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const limit = setTimeout(() => this.#child.kill("SIGKILL"), stopLimit_ms);
    await ended;
    clearTimeout(limit);
  }
}
