import { createConnection, type Socket } from "node:net";

/** What did not come in time, or came and should not have. */
export class ReplayFailure extends Error {
  override readonly name = "ReplayFailure";
}

/**
 * A raw connection to a daemon: writes bytes, reads lines. It knows nothing of the protocol, so that no mistake of the
 * client library can hide one of the daemon's.
 */
export class RawConnection {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#wake?.();
    });
    // The daemon may close while bytes of an oversized frame are still on their way: EPIPE and ECONNRESET are a close.
    const ended = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    socket.on("error", ended);
    socket.on("end", ended);
    socket.on("close", ended);
  }

  static async open(path: string, retry_ms = 0): Promise<RawConnection> {
    const until = Date.now() + retry_ms;
    for (;;) {
      try {
        return new RawConnection(await connected(path));
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
        if (Date.now() >= until) throw new ReplayFailure(`cannot connect: ${code}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  finish(): void {
    this.#socket.end();
  }

  drop(): void {
    this.#socket.destroy();
  }

  /** The next line without its newline. */
  async line(within_ms: number): Promise<Buffer> {
    const until = Date.now() + within_ms;
    for (;;) {
      const line = this.#takeLine();
      if (line !== null) return line;
      if (this.#ended) throw new ReplayFailure("the daemon closed the connection before it answered");
      if (!(await this.#more(until))) throw new ReplayFailure(`no answer within ${within_ms} ms`);
    }
  }

  /** Throws when any byte has come, or comes within so long. */
  async silent(for_ms: number): Promise<void> {
    const until = Date.now() + for_ms;
    for (;;) {
      this.#gather();
      if (this.#buffer.length > 0) throw new ReplayFailure(`an answer to nothing: ${shown(this.#buffer)}`);
      if (this.#ended || !(await this.#more(until))) return;
    }
  }

  /** Waits for the daemon to end the connection; bytes before that are one too many. */
  async closed(within_ms: number): Promise<void> {
    const until = Date.now() + within_ms;
    for (;;) {
      this.#gather();
      if (this.#buffer.length > 0) throw new ReplayFailure(`an answer to nothing: ${shown(this.#buffer)}`);
      if (this.#ended) return;
      if (!(await this.#more(until))) throw new ReplayFailure(`the connection is still open after ${within_ms} ms`);
    }
  }

  #takeLine(): Buffer | null {
    this.#gather();
    const end = this.#buffer.indexOf(0x0a);
    if (end === -1) return null;
    const line = this.#buffer.subarray(0, end);
    this.#buffer = this.#buffer.subarray(end + 1);
    return line;
  }

  #gather(): void {
    if (this.#chunks.length === 0) return;
    this.#buffer = Buffer.concat([this.#buffer, ...this.#chunks]);
    this.#chunks.length = 0;
  }

  /** Resolves to true when there is news, false at the deadline. */
  #more(until: number): Promise<boolean> {
    if (this.#chunks.length > 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (news: boolean): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(news);
      };
      const timer = setTimeout(() => settle(false), Math.max(0, until - Date.now()));
      this.#wake = () => settle(true);
    });
  }
}

const connected = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", reject);
  });

/** Bytes as a report shows them: their beginning, on one line. */
export const shown = (bytes: Buffer): string => {
  const text = bytes.subarray(0, 300).toString("utf8").replace(/\n/g, "\\n");
  return bytes.length > 300 ? `${text}... (${bytes.length} bytes)` : text;
};
