import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import type { Channel, Incoming, Receiver } from "../relay/channel.ts";
import { type Message, made, type NotAMessage, type ResponseMessage } from "../relay/message.ts";

/** The server ended, or did not answer, or not in these words. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const methodNotFound = -32601;

/** A server that is asked one thing after the other, by a client that offers nothing. */
export class AskedServerOnce implements Receiver {
  readonly #channel: Channel;
  #count = 0;
  #waiting: { readonly id: number; resolve(response: ResponseMessage): void; reject(error: NoAnswer): void } | null =
    null;
  #over: NoAnswer | null = null;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** Undefined where the server refuses: it has no such method, or not now. Rejects with NoAnswer. */
  async result(method: string, params: JsonObject): Promise<JsonValue | undefined> {
    const id = ++this.#count;
    const response = await new Promise<ResponseMessage>((resolve, reject) => {
      if (this.#over !== null) return reject(this.#over);
      this.#waiting = { id, resolve, reject };
      this.#send(made({ id, method, params }));
    });
    return response.outcome.kind === "result" ? response.outcome.result : undefined;
  }

  async notify(method: string): Promise<void> {
    this.#send(made({ method }));
  }

  /** Whoever waits hears why, and nobody waits any more. */
  give(why: string): void {
    this.#over ??= new NoAnswer(why);
    this.#waiting?.reject(this.#over);
    this.#waiting = null;
  }

  async received(incoming: Incoming): Promise<void> {
    for (const item of incoming.kind === "batch" ? incoming.items : [incoming.message]) {
      if (!(item instanceof Error)) this.#take(item);
    }
  }

  async refused(problem: NotAMessage): Promise<void> {
    if (problem.id === this.#waiting?.id) this.give("what the server answers is no message");
  }

  closed(): void {
    this.give("the server ended before it was listed");
  }

  #take(message: Message): void {
    if (message.kind === "response" && message.id === this.#waiting?.id) {
      const { resolve } = this.#waiting;
      this.#waiting = null;
      resolve(message);
    } else if (message.kind === "request") {
      const answer =
        message.method === "ping" ? { result: {} } : { error: { code: methodNotFound, message: "Method not found" } };
      this.#send(made({ id: message.id, ...answer }));
    }
  }

  #send(message: Message): void {
    this.#channel.send(message).catch(() => this.give("the server cannot be written to"));
  }
}
