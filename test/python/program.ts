import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { python, pythonEnv } from "./python.ts";

/** A Python program that a user might write, in a process of its own: each line that it prints is JSON. */
export class Program {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<number | null>;
  #stderr = "";

  /** @param settings is there as `settings` in the program, beside what the package exports. */
  constructor(text: string, settings: object) {
    const before = `import asyncio, json, os, sys, threading, time\nfrom interlock_guard import *\nsettings = json.loads(sys.argv[1])\n
def say(*values):
    print(json.dumps(values), flush=True)\n`;
    const args = ["-W", "error", "-c", `${before}${text}`, JSON.stringify(settings)];
    this.#child = spawn(python(), args, { env: pythonEnv, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr?.setEncoding("utf8").on("data", (more: string) => {
      this.#stderr += more;
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("the program has no output");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
  }

  /** What it says next. */
  async said(): Promise<unknown[]> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`the program ended: ${this.#stderr}`);
    return JSON.parse(value);
  }

  /** Everything that it says until it ends; it has to end well. */
  async all(): Promise<unknown[][]> {
    const said: unknown[][] = [];
    for (let line = await this.#lines.next(); line.done !== true; line = await this.#lines.next()) {
      said.push(JSON.parse(line.value));
    }
    const code = await this.#ended;
    if (code !== 0 || this.#stderr !== "") throw new Error(`the program ended with ${code}: ${this.#stderr}`);
    return said;
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
}
