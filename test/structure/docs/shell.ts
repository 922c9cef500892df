import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const commandLimit_ms = 60_000;
const backgroundLimit_ms = 15_000;
const stopLimit_ms = 5_000;
const poll_ms = 25;

export interface Printed {
  readonly output: string;
  readonly exitCode: number;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, poll_ms));

/** One bash for one document, so that `cd`, `export` and jobs carry over from command to command. */
export class Shell {
  readonly #bash: ChildProcess;
  readonly #logFolder: string;
  #output = "";
  #started = 0;

  constructor(folder: string, logFolder: string, environment: Readonly<Record<string, string>>) {
    this.#logFolder = logFolder;
    // Detached: its own process group, which is ended as a whole.
    this.#bash = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, env: { ...environment }, detached: true });
    const keep = (text: string): void => {
      this.#output += text;
    };
    this.#bash.stdout?.setEncoding("utf8").on("data", keep);
    this.#bash.stderr?.setEncoding("utf8").on("data", keep);
    this.#bash.stdin?.on("error", () => {});
  }

  /** Runs one command to its end; stdout and stderr in the order in which they were printed. */
  async run(command: string): Promise<Printed> {
    const mark = randomUUID();
    this.#output = "";
    this.#bash.stdin?.write(`eval ${quoted(command)} </dev/null 2>&1\nprintf '\\n%s %s\\n' ${mark} "$?"\n`);
    const deadline = Date.now() + commandLimit_ms;
    for (;;) {
      const at = this.#output.indexOf(`\n${mark} `);
      const end = at === -1 ? -1 : this.#output.indexOf("\n", at + 1);
      if (end !== -1) {
        const exitCode = Number(this.#output.slice(at + mark.length + 2, end));
        return { output: this.#output.slice(0, at), exitCode };
      }
      if (this.#bash.exitCode !== null) throw new Error(`the shell ended: ${this.#output}`);
      if (Date.now() > deadline) throw new Error(`no end after ${commandLimit_ms} ms: ${this.#output}`);
      await pause();
    }
  }

  /** Starts a command that ends in `&` and waits until what it printed is `ready`. */
  async runInBackground(command: string, ready: (output: string) => boolean): Promise<string> {
    this.#started += 1;
    const log = join(this.#logFolder, `background-${this.#started}.log`);
    this.#bash.stdin?.write(`eval ${quoted(command)} </dev/null >${quoted(log)} 2>&1\n`);
    const deadline = Date.now() + backgroundLimit_ms;
    for (;;) {
      const output = existsSync(log) ? readFileSync(log, "utf8") : "";
      if (ready(output)) return output;
      if (Date.now() > deadline) throw new Error(`not ready after ${backgroundLimit_ms} ms; it printed: ${output}`);
      await pause();
    }
  }

  /** Ends the shell and everything it started. */
  async end(): Promise<void> {
    const signal = (name: NodeJS.Signals | 0): boolean => {
      try {
        return process.kill(-(this.#bash.pid as number), name);
      } catch {
        return false; // no process of the group is left
      }
    };
    const ended = this.#bash.exitCode !== null || this.#bash.signalCode !== null ? null : once(this.#bash, "exit");
    signal("SIGTERM");
    const deadline = Date.now() + stopLimit_ms;
    while (signal(0) && Date.now() < deadline) await pause();
    signal("SIGKILL");
    await ended;
  }
}
