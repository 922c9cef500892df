import { createConnection, type Socket } from "node:net";
import { admit } from "../../wire/admission.ts";
import { canonical } from "../../wire/canonical.ts";
import { isObject, own } from "../../wire/fields.ts";
import { closeFrame } from "../../wire/frame.ts";
import { FrameReader } from "../../wire/frame-reader.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import type { Watched } from "./answer.ts";
import { watchSilence_ms } from "./limits.ts";
import { exitCodeOf, type OperatorErrorCode } from "./refusal.ts";
import type { OperatorAsk } from "./request.ts";

/** The operators' socket, and the token of who asks there. */
export interface OperatorSeat {
  readonly socket: string;
  readonly token: string;
}

/** The daemon was asked and said no. `code` is one of docs/errors.md. */
export class OperatorsSaidNo extends Refusal {
  readonly code: string;

  constructor(code: string, message: string) {
    super(exitCodeOf(code as OperatorErrorCode), message);
    this.code = code;
  }
}

/** Nobody answered, or not in these words. Exit code 5: what the daemon keeps cannot be reached. */
export class OperatorsAway extends Refusal {
  constructor(path: string, why: string) {
    super(ExitCode.storeUnavailable, `no answer at ${path}: ${why}`);
  }
}

const answerTimeout_ms = 10_000;

/** Puts one request. Throws OperatorsSaidNo and OperatorsAway. */
export const askOperators = async (
  seat: OperatorSeat,
  ask: OperatorAsk["kind"],
  with_: JsonObject,
): Promise<JsonObject> => {
  const conversation = new Conversation(seat.socket, answerTimeout_ms);
  try {
    conversation.send({ ask, id: "1", token: seat.token, v: 1, with: with_ });
    return answerIn(await conversation.next(), seat.socket);
  } finally {
    conversation.close();
  }
};

/** What a watch brings: first what is pending, then what comes. Ends with OperatorsAway where the daemon does. */
export async function* watchOperators(
  seat: OperatorSeat,
  signal: AbortSignal,
): AsyncGenerator<{ readonly pending: JsonValue } | Watched> {
  const conversation = new Conversation(seat.socket, watchSilence_ms);
  const close = (): void => conversation.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    conversation.send({ ask: "approvals.watch", id: "1", token: seat.token, v: 1, with: {} });
    while (!signal.aborted) {
      const frame = await conversation.next();
      const watch = own(frame, "watch");
      if (isObject(watch)) yield watch as unknown as Watched;
      else yield { pending: own(answerIn(frame, seat.socket), "approvals") ?? [] };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", close);
    conversation.close();
  }
}

const answerIn = (frame: JsonObject, path: string): JsonObject => {
  const error = own(frame, "error");
  if (isObject(error)) throw new OperatorsSaidNo(String(own(error, "code")), String(own(error, "message")));
  const answer = own(frame, "answer");
  if (!isObject(answer)) throw new OperatorsAway(path, "it does not speak as operators are spoken to");
  return answer;
};

/** Frames off one connection, in order. Silence for so long is an end. */
class Conversation {
  readonly #path: string;
  readonly #socket: Socket;
  readonly #reader = new FrameReader("responses");
  readonly #frames: JsonObject[] = [];
  #ended: OperatorsAway | null = null;
  #wake: () => void = () => undefined;

  constructor(path: string, silence_ms: number) {
    this.#path = path;
    this.#socket = createConnection(path);
    this.#socket.setTimeout(silence_ms, () => this.#end(`nothing came within ${silence_ms / 1000} s`));
    this.#socket.on("error", ({ code = "unknown error" }: NodeJS.ErrnoException) =>
      this.#end(code === "ENOENT" || code === "ECONNREFUSED" ? `${code}; start interlock-sidecar` : code),
    );
    this.#socket.on("close", () => this.#end("the connection ended"));
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  send(frame: JsonObject): void {
    this.#socket.write(closeFrame(canonical(frame), "the request is too long", "1"));
  }

  /** Throws OperatorsAway once nothing more comes. */
  async next(): Promise<JsonObject> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      if (this.#ended !== null) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#end("closed");
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
      for (let line = this.#reader.next(); line !== null; line = this.#reader.next()) {
        const frame = admit(line);
        if (!isObject(frame)) throw new TypeError();
        this.#frames.push(frame);
      }
      this.#wake();
    } catch {
      this.#end("an answer is not a frame");
    }
  }

  #end(why: string): void {
    this.#ended ??= new OperatorsAway(this.#path, why);
    this.#socket.destroy();
    this.#wake();
  }
}
