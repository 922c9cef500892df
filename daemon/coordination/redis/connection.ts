import type { Redis } from "ioredis";
import { admit } from "./admit.ts";
import { nameOf, redisClient } from "./client.ts";
import { maxRetry_ms } from "./limits.ts";
import type { Script } from "./scripts.ts";
import type { RedisPlace } from "./url.ts";

export interface ConnectionEvents {
  /** It may be used from now on; what was told before may have been lost. */
  ready(): void;
  /** @param why one word, such as ECONNREFUSED. */
  away(why: string): void;
  /** The transaction whose claim ended. */
  ended(transaction_id: string): void;
}

/** The connection to Redis: used once the server is admitted, made again whenever it is lost. */
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
    this.#client = redisClient(place);
    this.#client.on("error", (error: unknown) => {
      this.#why = nameOf(error);
    });
    this.#client.on("ready", () => void this.#admit());
    this.#client.on("close", () => this.#lost(this.#why));
    this.#client.on("message", (_channel: string, transaction_id: string) => events.ended(transaction_id));
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

  /** For an engine that was restarted: it serves without, until there is one. */
  openLater(): void {
    this.#client.connect().catch(() => undefined);
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

  async members(key: string): Promise<readonly string[]> {
    if (!this.#admitted) throw new Error("away");
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
