import { type ChildProcess, spawn } from "node:child_process";
import type { Answer, Task, TaskClient } from "./protocol.ts";

/** The client's command ended, or said what is no answer. */
export class LineClientFailed extends Error {
  override readonly name = "LineClientFailed";
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: LineClientFailed) => void;
}

const longestStderr = 2000;
const endWithin_ms = 5000;

/** A client in another process, driven by the line protocol. Whatever goes wrong with it rejects every task that waits, and each one after. */
export class LineClient implements TaskClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended: Promise<void>;
  #count = 0;
  #rest = "";
  #stderr = "";
  #failure: LineClientFailed | null = null;

  /** @param command a line for the shell, such as `python3 -m interlock_guard.conformance` */
  constructor(command: string, env: NodeJS.ProcessEnv = process.env) {
    // A group of its own, so that what the shell started ends with it.
    this.#child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "pipe"], detached: true, env });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-longestStderr);
    });
    this.#child.stdin?.on("error", () => undefined);
    this.#child.once("error", (error) => this.#fail(`it did not start: ${error.message}`));
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        const last = this.#stderr.trimEnd().split("\n").at(-1) ?? "";
        this.#fail(`it ended with ${code ?? signal}${last === "" ? "" : `; stderr: ${last}`}`);
        resolve();
      });
    });
  }

  do(task: Task): Promise<Answer> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = `${++this.#count}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...task })}\n`);
    });
  }

  /** Ends its input, and the process where that does not. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#kill(), endWithin_ms);
    await this.#ended;
    clearTimeout(timer);
  }

  #kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    let answer: { readonly id?: unknown } & Answer;
    try {
      answer = JSON.parse(line);
    } catch {
      this.#fail(`it wrote a line that is no JSON: ${JSON.stringify(line.slice(0, 80))}`);
      return;
    }
    const waiting = this.#waiting.get(String(answer.id));
    if (waiting === undefined) this.#fail("it answered a task that was not given");
    this.#waiting.delete(String(answer.id));
    waiting?.resolve(answer);
  }

  #fail(why: string): void {
    this.#failure ??= new LineClientFailed(`the client's command failed: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
