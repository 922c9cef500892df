import { BlockedError } from "../../../client-node/blocked-error.ts";
import { errorName } from "../../../client-node/error-name.ts";
import { oneLine } from "../../../client-node/one-line.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { AskedHost } from "./asked-host.ts";
import { AskedServer } from "./asked-server.ts";
import type { Channel, Incoming } from "./channel.ts";
import { CutShort } from "./cut-short.ts";
import type { Answer, Exchange } from "./exchange.ts";
import {
  type Message,
  made,
  type NotAMessage,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./message.ts";
import type { Notices } from "./notices.ts";
import { OpenRequests } from "./open-requests.ts";
import { OwnIds } from "./own-ids.ts";
import { blockedError } from "./refusal.ts";
import { RpcError, rpcCodes, rpcError } from "./rpc-error.ts";

/** What the relay asks about each message. Where it throws, nothing is passed on, and an error goes back to whoever sent it. */
export interface Judge {
  /** A request of the host's, from its arrival to its answer. */
  fromHost(exchange: Exchange, sides: Sides): Promise<Answer>;
  /** The params that the host is shown of a request of the server's. */
  fromServer(request: RequestMessage): Promise<JsonObject | null>;
  /** Sees each notification of the server's before the host has it. */
  noticed(notification: NotificationMessage): void;
}

/** The two sides, as a judge asks them. */
export interface Sides {
  readonly server: AskedServer;
  readonly host: AskedHost;
}

type Reply = (response: Message | null) => Promise<void>;

/**
 * Carries JSON-RPC between a host and a server, with a judge in between:
 *
 *     host -> #hostRequest -> judge.fromHost -> server.forward -> server
 *     host <- reply        <- judge.fromHost <- server.answered <- server
 *     host <- #passServerRequest <- judge.fromServer <- server
 *
 * Anything that is no request, and every request that the judge has no opinion about, goes on as it came. Ids are the senders' own, so
 * that cancellation, progress and tasks fit without a map of them.
 */
export class Relay {
  readonly #host: Channel;
  readonly #server: Channel;
  readonly #judge: Judge;
  readonly #notices: Notices;
  readonly #exchanges = new OpenRequests<Exchange>();
  readonly #sides: Sides;
  /** Resolve once the side's stream has ended. */
  readonly hostGone: Promise<void>;
  readonly serverGone: Promise<void>;
  #hostEnded = (): void => {};
  #serverEnded = (): void => {};

  constructor(host: Channel, server: Channel, judge: Judge, notices: Notices) {
    this.#host = host;
    this.#server = server;
    this.#judge = judge;
    this.#notices = notices;
    const ids = new OwnIds();
    this.#sides = { server: new AskedServer(server, notices, ids), host: new AskedHost(host, ids) };
    this.hostGone = new Promise((resolve) => {
      this.#hostEnded = resolve;
    });
    this.serverGone = new Promise((resolve) => {
      this.#serverEnded = resolve;
    });
  }

  async open(): Promise<void> {
    await this.#server.open({
      received: (incoming) => this.#fromServer(incoming),
      refused: (problem) => this.#refusedServer(problem),
      closed: () => {
        this.#sides.server.ended();
        this.#serverEnded();
      },
    });
    await this.#host.open({
      received: (incoming) => this.#fromHost(incoming),
      refused: (problem) => this.#refusedHost(problem),
      closed: () => {
        this.#sides.host.ended(new CutShort("the host has ended"));
        this.#hostEnded();
      },
    });
  }

  /** Requests of the host's without an answer, and those of them that the server does not have yet. */
  get open_requests(): { readonly all: number; readonly unsent: number } {
    const exchanges = this.#exchanges.values();
    return { all: exchanges.length, unsent: exchanges.filter(({ isSent }) => !isSent).length };
  }

  // The host's messages.

  async #fromHost(incoming: Incoming): Promise<void> {
    if (incoming.kind === "message") return this.#hostMessage(incoming.message, (response) => this.#toHost(response));
    await this.#hostBatch(incoming.items);
  }

  /** The answers of a batch go back as one, when the last of them is there. */
  async #hostBatch(items: readonly (Message | NotAMessage)[]): Promise<void> {
    const responses: Message[] = [];
    let left = items.length;
    const done: Reply = async (response) => {
      if (response !== null) responses.push(response);
      if (--left === 0 && responses.length > 0) await this.#toHost(responses);
    };
    for (const item of items) {
      if (item instanceof Error) await done(invalid(item));
      else if (item.kind === "request") await this.#hostMessage(item, done);
      else {
        await this.#hostMessage(item, done);
        await done(null);
      }
    }
  }

  #hostMessage(message: Message, reply: Reply): Promise<void> {
    switch (message.kind) {
      case "request":
        return this.#hostRequest(message, reply);
      case "notification":
        return this.#hostNotification(message);
      case "response":
        return this.#hostResponse(message);
    }
  }

  async #hostRequest(request: RequestMessage, reply: Reply): Promise<void> {
    const { id } = request;
    if (this.#exchanges.has(id) || this.#sides.server.has(id)) {
      return reply(errorTo(id, rpcError(rpcCodes.invalidRequest, "a request with this id is under way")));
    }
    if (this.#exchanges.isFull) {
      return reply(errorTo(id, rpcError(rpcCodes.internal, "too many requests are under way")));
    }
    const exchange: Exchange = { request, cancelled: new AbortController(), heldBytes: 0, isSent: false };
    this.#exchanges.add(id, exchange);
    // The next message is read meanwhile: it may be the cancellation, or what the server asked the host for.
    void this.#answer(exchange, reply);
  }

  async #answer(exchange: Exchange, reply: Reply): Promise<void> {
    const { request, cancelled } = exchange;
    let response: Message;
    try {
      const answer = await this.#judge.fromHost(exchange, this.#sides);
      response = answer.kind === "unchanged" ? answer.response : made({ id: request.id, result: answer.result });
    } catch (error) {
      response = errorTo(request.id, this.#asRpcError(error));
    }
    this.#exchanges.take(request.id);
    // A request that was cancelled has no answer.
    await reply(cancelled.signal.aborted ? null : response);
    this.#sides.server.release(exchange);
  }

  #asRpcError(error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    if (error instanceof BlockedError) return blockedError(error);
    if (error instanceof CutShort) return rpcError(rpcCodes.internal, error.message);
    this.#notices.tell("a request failed in the relay", errorName(error));
    return rpcError(rpcCodes.internal, "the relay failed; nothing was let through");
  }

  async #hostNotification(notification: NotificationMessage): Promise<void> {
    if (notification.method === "notifications/cancelled" && !this.#cancel(notification)) return;
    await this.#toServer(notification);
  }

  /** Is the server told? Not of a request that it never saw. */
  #cancel({ params }: NotificationMessage): boolean {
    const id = params?.requestId;
    const exchange = typeof id === "string" || typeof id === "number" ? this.#exchanges.get(id) : undefined;
    if (exchange === undefined) return true;
    const reason = new CutShort("the host cancelled the request");
    exchange.cancelled.abort(reason);
    return this.#sides.server.cancel(exchange.request.id, reason);
  }

  async #hostResponse(response: ResponseMessage): Promise<void> {
    const asker = this.#sides.host.answered(response);
    if (asker === "server") await this.#toServer(response);
    else if (asker === "nobody") this.#notices.tell("the host answered a request that is not open");
  }

  async #refusedHost(problem: NotAMessage): Promise<void> {
    this.#notices.tell("what the host sent is not passed on", problem.message);
    await this.#toHost(invalid(problem));
  }

  // The server's messages.

  async #fromServer(incoming: Incoming): Promise<void> {
    if (incoming.kind === "message") return this.#serverMessage(incoming.message);
    for (const item of incoming.items) {
      if (item instanceof Error) await this.#refusedServer(item);
      else await this.#serverMessage(item);
    }
  }

  #serverMessage(message: Message): Promise<void> {
    switch (message.kind) {
      case "response":
        return this.#sides.server.answered(message);
      case "request":
        return this.#serverRequest(message);
      case "notification":
        return this.#serverNotification(message);
    }
  }

  async #serverRequest(request: RequestMessage): Promise<void> {
    const { id } = request;
    if (!this.#sides.host.byServer(id)) {
      const words = "this id is in use, or too many requests are open";
      return this.#toServer(errorTo(id, rpcError(rpcCodes.invalidRequest, words)));
    }
    // Awaited: what waits for its judgement is held in memory.
    await this.#passServerRequest(request);
  }

  async #passServerRequest(request: RequestMessage): Promise<void> {
    const { id, method } = request;
    try {
      const params = await this.#judge.fromServer(request);
      const isSame = params === request.params;
      await this.#toHost(isSame ? request : made({ id, method, ...(params === null ? {} : { params }) }));
    } catch (error) {
      this.#sides.host.cancel(id);
      await this.#toServer(errorTo(id, this.#asRpcError(error)));
    }
  }

  async #serverNotification(notification: NotificationMessage): Promise<void> {
    const id = notification.params?.requestId;
    if (notification.method === "notifications/cancelled" && (typeof id === "string" || typeof id === "number")) {
      this.#sides.host.cancel(id);
    }
    this.#judge.noticed(notification);
    await this.#toHost(notification);
  }

  async #refusedServer(problem: NotAMessage): Promise<void> {
    this.#notices.tell("what the server sent is not passed on", problem.message);
    this.#sides.server.unreadable(problem);
  }

  /** Whoever is gone is not told. */
  async #toHost(outgoing: Message | readonly Message[] | null): Promise<void> {
    if (outgoing === null) return;
    try {
      await this.#host.send(outgoing);
    } catch (error) {
      this.#notices.tell("a message did not reach the host", errorName(error));
    }
  }

  async #toServer(message: Message): Promise<void> {
    try {
      await this.#server.send(message);
    } catch (error) {
      this.#notices.tell("a message did not reach the server", errorName(error));
    }
  }
}

const errorTo = (id: RequestId, error: RpcError): Message => made({ id, error: error.json });

/** Where no id could be read there is nobody to answer. */
const invalid = ({ id, message }: NotAMessage): Message | null =>
  id === null ? null : errorTo(id, rpcError(rpcCodes.invalidRequest, oneLine(`not passed on: ${message}`)));
