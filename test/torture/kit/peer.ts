import { connect, type NetConnectOpts, type Socket } from "node:net";

/** A peer that writes bytes and reads lines, and knows nothing else. */
export class Peer {
  readonly socket: Socket;
  readonly lines: string[] = [];
  closed = false;
  /** The daemon ended its side. */
  ended = false;
  #rest = "";
  #wake: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      const parts = (this.#rest + text).split("\n");
      this.#rest = parts.pop() ?? "";
      this.lines.push(...parts);
      this.#call();
    });
    socket.on("end", () => {
      this.ended = true;
      this.#call();
    });
    // EPIPE and ECONNRESET: the daemon cut us off, which some tests want; `closed` says so.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.closed = true;
      this.#call();
    });
  }

  static async open(path: string): Promise<Peer> {
    return new Peer(await connected({ path, allowHalfOpen: true }));
  }

  /** Bytes of a line whose end has not come. */
  get rest(): string {
    return this.#rest;
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Waits until there are `count` lines. */
  async have(count: number, within_ms = 10_000): Promise<readonly string[]> {
    await this.#until(within_ms, `${count} lines`, () => this.lines.length >= count);
    return this.lines;
  }

  async haveEnded(within_ms = 10_000): Promise<void> {
    await this.#until(within_ms, "the end", () => this.ended || this.closed);
  }

  async haveClosed(within_ms = 10_000): Promise<void> {
    await this.#until(within_ms, "the close", () => this.closed);
  }

  drop(): void {
    this.socket.destroy();
  }

  async #until(within_ms: number, what: string, isSo: () => boolean): Promise<void> {
    const end = performance.now() + within_ms;
    while (!isSo()) {
      const left_ms = end - performance.now();
      if (left_ms <= 0 || (this.closed && !isSo())) {
        const how = this.closed ? "the connection closed" : `${within_ms} ms passed`;
        throw new Error(`${how} without ${what}; ${this.lines.length} lines came`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left_ms);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #call(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export interface Answer {
  readonly id: string;
  readonly verdict?: number;
  readonly reason?: string;
  readonly details?: { readonly code: string };
  readonly error?: { readonly code: string; readonly message: string };
}

export const answerIn = (line: string | undefined): Answer => JSON.parse(line ?? "") as Answer;

/** A call as version 1 writes it. */
export const call = (id: string, action: string, args: object = {}): string =>
  `${JSON.stringify({ event: { action, args, phase: "call" }, id, v: 1 })}\n`;

export const hello = (nonce: string, features: readonly string[] = ["call_id", "details", "resend"]): string =>
  `${JSON.stringify({ hello: { client: "torture/1", features, nonce }, id: "h", v: 1 })}\n`;

/** A socket that never reads: what the daemon sends stays in the kernel, and at a close there it is lost. */
export const deafSocket = async (path: string): Promise<Socket> => {
  const socket = await connected({ path, onread: { buffer: Buffer.alloc(1), callback: () => false } });
  socket.pause();
  return socket.on("error", () => undefined);
};

/** Connects; tries again while the daemon's backlog is full (EAGAIN), as clients do. */
const connected = async (options: NetConnectOpts): Promise<Socket> => {
  for (;;) {
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = connect(options);
        socket.once("error", reject);
        socket.once("connect", () => resolve(socket.off("error", reject)));
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
};

export const written = (socket: Socket, bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));

export const closed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once("close", () => resolve()));
