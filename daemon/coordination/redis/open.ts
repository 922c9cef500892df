import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { Coordination } from "../coordination.ts";
import { Connection } from "./connection.ts";
import { RedisCoordination } from "./coordination.ts";
import { OwedOutcomes } from "./owed.ts";
import { deploymentDigest, sharedResults } from "./results.ts";
import { endScript } from "./scripts.ts";
import { parseRedisUrl } from "./url.ts";

export interface RedisOptions {
  /** The deployment's key, the same for all daemons that share this Redis. */
  readonly key: Uint8Array;
  /** What this daemon is called at every start, such as its chain: what it held when it was killed is found by it. */
  readonly owner: string;
  /** One line when Redis goes away, and one when it is back. */
  log(line: string): void;
}

/**
 * Connects. Throws Refusal: exit code 2 for a URL that is none, 5 for a Redis that cannot be reached, or that cannot
 * keep claims.
 */
export const redisCoordination = async (url: string, { key, owner, log }: RedisOptions): Promise<Coordination> => {
  const place = parseRedisUrl(url);
  const listeners = new Set<(claim_key: string | null) => void>();
  const tell = (claim_key: string | null): void => {
    for (const listener of listeners) listener(claim_key);
  };
  let away = false;
  const connection = new Connection(place, deploymentDigest(key), {
    ready: () => {
      if (away) log(`coordination: ${place.shown} is back`);
      away = false;
      owed.tellAll();
      // What ended meanwhile was told to nobody here.
      tell(null);
    },
    away: (why) => {
      away = true;
      log(
        `coordination: ${place.shown} is away (${why}); calls with a contract or a limit are blocked until it is back`,
      );
    },
    ended: tell,
  });
  const owed = new OwedOutcomes({
    listens: () => connection.ready,
    hear: (args) => connection.run(endScript, args),
  });
  try {
    await connection.open();
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown";
    throw new Refusal(ExitCode.storeUnavailable, `coordination: cannot use ${place.shown}: ${why}`);
  }
  return new RedisCoordination(connection, owed, sharedResults(key), owner, listeners);
};
