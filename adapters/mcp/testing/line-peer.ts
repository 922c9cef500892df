import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
export type Json = any;

/** The other end of a line channel: sends what it is told to, and takes what comes, in order. */
export class LinePeer {
  readonly #output: Writable;
  readonly #lines: string[] = [];
  #waiting: (() => void) | null = null;
  #isOver = false;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on("error", () => {});
    const reader = createInterface({ input });
    reader.on("line", (line) => this.#came(() => this.#lines.push(line)));
    reader.on("close", () => this.#came(() => (this.#isOver = true)));
  }

  send(message: string | object): boolean {
    return this.#output.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  /** The next message, null where the stream ended. Fails where none comes. */
  async next(within_ms = 5000): Promise<Json> {
    const line = await this.line(within_ms);
    return line === null ? null : JSON.parse(line);
  }

  async line(within_ms = 5000): Promise<string | null> {
    if (this.#lines.length === 0 && !this.#isOver) await this.#wait(within_ms);
    if (this.#lines.length > 0) return this.#lines.shift() as string;
    if (this.#isOver) return null;
    throw new Error(`no message within ${within_ms} ms`);
  }

  /** Asks, and takes the answer of this id; what came before it is left out. */
  async ask(method: string, params?: object, id: string | number = method): Promise<Json> {
    this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return this.answer(id);
  }

  async answer(id: string | number, within_ms = 15_000): Promise<Json> {
    for (;;) {
      const message = await this.next(within_ms);
      if (message === null) throw new Error("the stream ended before the answer");
      if (message.id === id && message.method === undefined) return message;
    }
  }

  /** Nothing else came, and nothing comes within a moment. */
  async isQuiet(for_ms = 50): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, for_ms));
    return this.#lines.length === 0;
  }

  end(): void {
    this.#output.end();
  }

  #came(change: () => void): void {
    change();
    this.#waiting?.();
  }

  async #wait(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#waiting = null;
  }
}
