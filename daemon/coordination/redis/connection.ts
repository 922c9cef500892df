import { Redis } from "ioredis";
import { admit, nameOf } from "./admit.ts";
import { connectTimeout_ms, firstRetry_ms, maxRetry_ms, silence_ms } from "./limits.ts";
import type { Script } from "./scripts.ts";
import type { RedisPlace } from "./url.ts";

export interface ConnectionEvents {
  /** It may be used from now on; what was told before may have been lost. */
  ready(): void;
  /** @param why one word, such as ECONNREFUSED. */
  away(why: string): void;
  /** The key of a claim that ended. */
  ended(claim_key: string): void;
}

/**
 * One connection that answers now or not at all. Nothing is queued while it is gone and nothing is sent twice: a
 * command that is carried out late would take a claim for a call that was blocked.
 */
export class Connection {
  readonly #client: Redis;
  readonly #place: RedisPlace;
  readonly #digest: string;
  readonly #events: ConnectionEvents;
  #admitted = false;
  #isClosed = false;
  #why = "closed";
  #first: { done(): void; failed(why: string): void } | null = null;

  /** @param digest of the deployment's key: a Redis that serves another one is refused. */
  constructor(place: RedisPlace, digest: string, events: ConnectionEvents) {
    this.#place = place;
    this.#digest = digest;
    this.#events = events;
    this.#client = new Redis({
      host: place.host,
      port: place.port,
      db: place.db,
      ...(place.username === null ? {} : { username: place.username }),
      ...(place.password === null ? {} : { password: place.password }),
      ...(place.tls ? { tls: { servername: place.host } } : {}),
      // Answers and news of ended claims share one connection, so that both are there or neither is.
      protocol: 3,
      lazyConnect: true,
      connectTimeout: connectTimeout_ms,
      socketTimeout: silence_ms,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(firstRetry_ms * 2 ** Math.min(times - 1, 10), maxRetry_ms),
      // A primary that became a replica takes no writes: look for the new one.
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
    });
    this.#client.on("error", (error: unknown) => {
      this.#why = nameOf(error);
    });
    this.#client.on("ready", () => void this.#admit());
    this.#client.on("close", () => this.#lost(this.#why));
    this.#client.on("message", (_channel: string, claim_key: string) => events.ended(claim_key));
  }

  get ready(): boolean {
    return this.#admitted;
  }

  /** The first connection. Rejects with one word or sentence where there is none; retries after that are its own. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#first = { done: resolve, failed: (why) => reject(new Error(why)) };
      this.#client.connect().catch((error: unknown) => this.#lost(nameOf(error)));
    });
  }

  /** Rejects where it is not known whether it was carried out, too. */
  async run(script: Script, args: readonly string[]): Promise<unknown> {
    if (!this.#admitted) throw new Error("away");
    try {
      return await this.#client.evalsha(script.sha1, 1, this.#place.prefix, ...args);
    } catch (error) {
      if (nameOf(error) !== "NOSCRIPT") throw error;
      return this.#client.eval(script.text, 1, this.#place.prefix, ...args);
    }
  }

  members(key: string): Promise<string[]> {
    return this.#client.smembers(`${this.#place.prefix}${key}`);
  }

  close(): void {
    this.#isClosed = true;
    this.#admitted = false;
    this.#client.disconnect();
  }

  async #admit(): Promise<void> {
    const refused = await admit(this.#client, this.#place.prefix, this.#digest).catch(nameOf);
    if (refused !== null) this.#lost(refused);
    else if (this.#client.status === "ready") return this.#begin();
    // Somebody may have mended it: ask again on a new connection, not in a hurry.
    if (!this.#isClosed) setTimeout(() => this.#client.disconnect(true), maxRetry_ms).unref();
  }

  #begin(): void {
    this.#admitted = true;
    this.#first?.done();
    this.#first = null;
    this.#events.ready();
  }

  #lost(why: string): void {
    const wasAdmitted = this.#admitted;
    this.#admitted = false;
    if (this.#first !== null) {
      this.#first.failed(why);
      this.#first = null;
      this.close();
    } else if (wasAdmitted && !this.#isClosed) this.#events.away(why);
  }
}
