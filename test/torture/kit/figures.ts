import { readdirSync, readFileSync } from "node:fs";

/** What Linux says of a process that is not ours to ask. */
const statusBytes = (pid: number, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  if (found === null) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(found[1]) * 1024;
};

export const mebibyte = 1024 * 1024;
export const residentBytes = (pid: number): number => statusBytes(pid, "VmRSS");
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The highest resident memory of a process between two moments, looked at every 20 ms. */
export class MemoryWatch {
  readonly before: number;
  #most: number;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.before = residentBytes(pid);
    this.#most = this.before;
    this.#timer = setInterval(() => {
      try {
        this.#most = Math.max(this.#most, residentBytes(pid));
      } catch {
        // The process is gone: the test says so by itself.
        clearInterval(this.#timer);
      }
    }, 20);
  }

  /** In bytes. */
  end(): { readonly most: number; readonly growth: number } {
    clearInterval(this.#timer);
    return { most: this.#most, growth: this.#most - this.before };
  }
}

/** One line of a run's figures, for whoever reads the log. */
export const report = (line: string): void => {
  process.stderr.write(`  ${line}\n`);
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no values");
  return middle;
};
