import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Frames } from "./frames.ts";

const newline = 0x0a;

/** What a contender's answers are held to after a block: an echo is anything, a verdict is an ALLOW with our id. */
export type Answers = "echo" | "verdicts";

const hello = (): string =>
  `${JSON.stringify({
    hello: {
      client: "interlock-bench/1.0.0",
      // What our Node client offers.
      features: ["call_id", "details", "escalate", "escape", "replace_args", "resend"],
      nonce: randomBytes(16).toString("base64url"),
    },
    id: "h",
    v: 1,
  })}\n`;

/**
 * A client that does nothing but write bytes built beforehand and watch for newlines, so that two servers behind it
 * differ by the servers alone. What it does not look at while the clock runs it checks at the end of a block.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #answers: Answers;
  #receive: (chunk: Buffer) => void = () => {};
  #fail: (error: Error) => void = () => {};

  private constructor(socket: Socket, answers: Answers) {
    this.#socket = socket;
    this.#answers = answers;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("bench: the server closed the connection")));
  }

  /** Connects and says hello; an echo server answers that with itself, which is an answer too. */
  static async open(path: string, answers: Answers): Promise<RawConnection> {
    const socket = connect(path);
    const connection = new RawConnection(socket, answers);
    await new Promise<void>((resolve, reject) => {
      let received = "";
      connection.#fail = reject;
      connection.#receive = (chunk) => {
        received += chunk.toString("utf8");
        if (!received.endsWith("\n")) return;
        if (received.includes('"error"')) reject(new Error(`bench: hello was refused: ${received.trim()}`));
        else resolve();
      };
      socket.on("connect", () => socket.write(hello()));
    });
    return connection;
  }

  /** One request in flight. Microseconds from the write of each to the last byte of its answer. */
  async oneAtATime(frames: Frames): Promise<Float64Array> {
    const latencies_us = new Float64Array(frames.count);
    const check = new AnswerCheck(this.#answers, frames);
    await new Promise<void>((resolve, reject) => {
      let at = 0;
      let written_ms = 0;
      const next = (): void => {
        const frame = frames.slice(at);
        written_ms = performance.now();
        this.#socket.write(frame);
      };
      this.#fail = reject;
      this.#receive = (chunk) => {
        const now_ms = performance.now();
        check.take(chunk, at === frames.count - 1);
        if (chunk[chunk.length - 1] !== newline) return;
        latencies_us[at] = (now_ms - written_ms) * 1000;
        at += 1;
        if (at < frames.count) next();
        else resolve();
      };
      next();
    });
    check.end();
    return latencies_us;
  }

  /** `window` requests in flight, each answer replaced by a new request. Seconds for all of them. */
  async pipelined(frames: Frames, window: number): Promise<number> {
    const check = new AnswerCheck(this.#answers, frames);
    let seconds = 0;
    await new Promise<void>((resolve, reject) => {
      let sent = 0;
      let answered = 0;
      const started_ms = performance.now();
      const send = (count: number): void => {
        const length = Math.min(count, frames.count - sent);
        if (length > 0) this.#socket.write(frames.slice(sent, length));
        sent += length;
      };
      this.#fail = reject;
      this.#receive = (chunk) => {
        check.take(chunk, answered + window >= frames.count);
        let lines = 0;
        for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
        answered += lines;
        if (answered < frames.count) {
          send(lines);
          return;
        }
        seconds = (performance.now() - started_ms) / 1000;
        resolve();
      };
      send(window);
    });
    check.end();
    return seconds;
  }

  close(): void {
    this.#fail = () => {};
    this.#socket.destroy();
  }
}

/**
 * Ids are of one length, so every ALLOW of a block is of one length too: the last answer is read as JSON, and the sum of
 * all bytes says that the others were like it. That costs an addition while the clock runs.
 */
class AnswerCheck {
  readonly #answers: Answers;
  readonly #frames: Frames;
  #bytes = 0;
  #tail: Buffer[] = [];

  constructor(answers: Answers, frames: Frames) {
    this.#answers = answers;
    this.#frames = frames;
  }

  take(chunk: Buffer, keep: boolean): void {
    this.#bytes += chunk.length;
    if (keep) this.#tail.push(chunk);
  }

  end(): void {
    const lines = Buffer.concat(this.#tail).toString("utf8").split("\n");
    const last = lines.at(-2) ?? "";
    const expected = this.#frames.count * (Buffer.byteLength(last) + 1);
    if (this.#bytes !== expected) {
      throw new Error(`bench: answers differ in length (${this.#bytes} bytes for ${expected}); the last was ${last}`);
    }
    if (this.#answers === "echo") return;
    const answer = JSON.parse(last) as { readonly id?: unknown; readonly verdict?: unknown };
    const known = Array.from({ length: Math.min(this.#frames.count, 256) }, (_, back) =>
      this.#frames.id(this.#frames.count - 1 - back),
    );
    if (answer.verdict !== 0 || !known.includes(String(answer.id))) {
      throw new Error(`bench: not an ALLOW for a request of this block: ${last}`);
    }
  }
}
