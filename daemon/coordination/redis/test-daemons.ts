import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll } from "vitest";
import { freshRedis } from "../../../test/kit/services/services.ts";
import { newTransactionId } from "../../transactions/ids.ts";
import type { Intent, Reservation } from "../../transactions/plan.ts";
import type { Entry, Ticket } from "../coordination.ts";
import type { RedisCoordination } from "./coordination.ts";
import { type RedisOptions, redisCoordination } from "./open.ts";
import { parseRedisUrl } from "./url.ts";

export const deploymentKey = new Uint8Array(randomBytes(32));

/** A place in the run's Redis of the caller's own: daemons of one deployment, and a client that looks behind them. */
export interface Deployment {
  readonly prefix: string;
  readonly url: string;
  /** Sees and changes what daemons do not. */
  readonly redis: Redis;
  daemon(
    owner: string,
    options?: Partial<Pick<RedisOptions, "key" | "when"> & { readonly url: string }>,
  ): Promise<RedisCoordination>;
  /** What daemons logged. */
  readonly lines: string[];
}

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export const withPrefix = (url: string, prefix: string): string => `${url}?prefix=${prefix}`;

export const deployment = async (given?: { readonly url: string; readonly prefix: string }): Promise<Deployment> => {
  const { url, prefix } = given ?? (await freshRedis());
  const redis = new Redis(url, { maxRetriesPerRequest: 3 }).on("error", () => undefined);
  ends.push(async () => {
    // A test may have ended its own server.
    const keys = redis.status === "ready" ? await redis.keys(`${prefix}*`) : [];
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });
  const lines: string[] = [];
  return {
    prefix,
    url,
    redis,
    lines,
    daemon: async (owner, { url: through = url, key = deploymentKey, when = "start" } = {}) => {
      const coordination = await redisCoordination(parseRedisUrl(withPrefix(through, prefix)), {
        key,
        owner,
        when,
        log: (line) => void lines.push(line),
      });
      ends.push(async () => coordination.close());
      return coordination;
    },
  };
};

/** A write under the claim `key`, unless it is changed. */
export const intent = (key: string | null, changes: Partial<Intent> = {}): Intent => ({
  transaction_id: newTransactionId(),
  call_id: null,
  action: "refund",
  principal: "agent-1",
  parent_principal: null,
  effect: "write",
  now_ms: 1_000_000,
  lease_ms: 60_000,
  fingerprint: `fingerprint of ${key}`,
  claim: key === null ? null : { key, content: key, window_ms: 60_000 },
  limits: [],
  rules: "sha256:00",
  resumed_from: null,
  ...changes,
});

export const limit = (counter: string, max: number, amount: number, window_ms = 60_000): Reservation => ({
  policyId: `policy of ${counter}`,
  reason: "too much",
  attributedTo: "amount",
  counter,
  window_ms,
  max,
  amount,
  members: null,
});

/** A limit on different values. */
export const spread = (counter: string, max: number, members: readonly string[], window_ms = 60_000): Reservation => ({
  ...limit(counter, max, members.length, window_ms),
  attributedTo: "to",
  members,
});

/** The ticket of one that must have entered. */
export const ticketOf = (entry: Entry): Ticket => {
  if (entry.kind !== "entered") throw new Error(`it did not enter: ${JSON.stringify(entry)}`);
  return entry.ticket;
};

/** Waits until it holds. */
export const until = async (holds: () => boolean | Promise<boolean>, within_ms = 10_000): Promise<void> => {
  const end = Date.now() + within_ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${within_ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
