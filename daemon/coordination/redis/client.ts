import { isIP } from "node:net";
import { Redis } from "ioredis";
import { connectTimeout_ms, firstRetry_ms, maxRetry_ms, silence_ms } from "./limits.ts";
import type { RedisPlace } from "./url.ts";

/**
 * A client that answers now or not at all. Nothing is queued while its connection is gone and nothing is sent twice: a
 * command that is carried out late would take a claim for a call that was blocked.
 */
export const redisClient = (place: RedisPlace): Redis =>
  new Redis({
    host: place.host,
    port: place.port,
    db: place.db,
    ...(place.username === null ? {} : { username: place.username }),
    ...(place.password === null ? {} : { password: place.password }),
    // The certificate is verified; an address has no name to be asked for.
    ...(place.tls ? { tls: isIP(place.host) === 0 ? { servername: place.host } : {} } : {}),
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

const word = /^[A-Z][A-Z_]+$/;

/** An error as one word that is safe to print: Node's code, or the word that Redis' errors begin with. */
export const nameOf = (error: unknown): string => {
  const { code, message, name } = error as Partial<NodeJS.ErrnoException>;
  if (code !== undefined) return String(code);
  const first = message?.split(" ", 1)[0] ?? "";
  if (word.test(first)) return first;
  return name ?? "unknown";
};
