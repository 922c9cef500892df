import { errorName } from "../../../client-node/error-name.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { Channel } from "./channel.ts";
import { CutShort, Unreadable } from "./cut-short.ts";
import type { Exchange } from "./exchange.ts";
import { maxJudgedBytes } from "./limits.ts";
import { made, type NotAMessage, type RequestId, type RequestMessage, type ResponseMessage } from "./message.ts";
import type { Notices } from "./notices.ts";
import { OpenRequests } from "./open-requests.ts";
import type { OwnIds } from "./own-ids.ts";

interface Asked {
  /** The host's request that it is; null where the relay asks for itself. */
  readonly exchange: Exchange | null;
  readonly resolve: (response: ResponseMessage) => void;
  readonly reject: (error: Error) => void;
}

/** What the server was asked and has not answered. */
export class AskedServer {
  readonly #channel: Channel;
  readonly #notices: Notices;
  readonly #ids: OwnIds;
  readonly #open = new OpenRequests<Asked>();
  readonly #budget = new ByteBudget(maxJudgedBytes);
  #isOver = false;

  constructor(channel: Channel, notices: Notices, ids: OwnIds) {
    this.#channel = channel;
    this.#notices = notices;
    this.#ids = ids;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** A request of the host's, with its own id. Rejects with CutShort or Unreadable. */
  forward(exchange: Exchange, request: RequestMessage): Promise<ResponseMessage> {
    exchange.isSent = true;
    return this.#ask(request, exchange);
  }

  /** A request of the relay's own. */
  own(method: string, params: JsonObject): Promise<ResponseMessage> {
    return this.#ask(made({ id: this.#ids.next(), method, params }) as RequestMessage, null);
  }

  #ask(request: RequestMessage, exchange: Exchange | null): Promise<ResponseMessage> {
    if (this.#isOver) return Promise.reject(new CutShort("the server has ended"));
    return new Promise((resolve, reject) => {
      this.#open.add(request.id, { exchange, resolve, reject });
      this.#channel.send(request).catch((error) => {
        this.#open.take(request.id);
        reject(new CutShort(`the server cannot be reached: ${errorName(error)}`));
      });
    });
  }

  /** Resolves when there is room for more: what is being judged is held in memory. */
  async answered(response: ResponseMessage): Promise<void> {
    const asked = this.#open.take(response.id);
    if (asked === undefined) {
      // A second answer would be delivered unjudged, or to somebody who did not ask.
      if (!this.#open.wasCancelled(response.id)) this.#notices.tell("the server answered a request that is not open");
      return;
    }
    if (asked.exchange !== null) {
      const room = this.#budget.take(response.bytes);
      if (room !== null) await room;
      asked.exchange.heldBytes += response.bytes;
    }
    asked.resolve(response);
  }

  release(exchange: Exchange): void {
    if (exchange.heldBytes > 0) this.#budget.give(exchange.heldBytes);
    exchange.heldBytes = 0;
  }

  unreadable(problem: NotAMessage): void {
    if (problem.id !== null) this.#open.take(problem.id)?.reject(new Unreadable(problem));
  }

  /** Was it asked at all? Then it is answered no more. */
  cancel(id: RequestId, reason: Error): boolean {
    const asked = this.#open.cancel(id);
    asked?.reject(reason);
    return asked !== undefined;
  }

  ended(): void {
    this.#isOver = true;
    for (const { reject } of this.#open.values()) reject(new CutShort("the server ended before it answered"));
    this.#open.clear();
  }
}
