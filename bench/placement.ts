import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Which cores a process may use, as `taskset -c` takes them. The client always has `client`. */
export interface Cores {
  readonly client: string;
  /** The core beside the client's: what two processes on a quiet machine get. */
  readonly beside: string;
  readonly both: string;
}

/** The first two cores that this process may use. Budgets are about two cores, so with fewer there is no run. */
export const findCores = (): Cores => {
  const line = readFileSync("/proc/self/status", "utf8").match(/^Cpus_allowed_list:\s*(\S+)$/m)?.[1] ?? "";
  const allowed = line.split(",").flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  const [client, beside] = allowed;
  if (client === undefined || beside === undefined) {
    throw new Error("bench: two cores are needed and this process may use fewer; run it without a CPU limit");
  }
  return { client: String(client), beside: String(beside), both: `${client},${beside}` };
};

/** Moves every thread of a running process to these cores. */
export const pin = (pid: number, cores: string): void => {
  execFileSync("taskset", ["-a", "-c", "-p", cores, String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
};
