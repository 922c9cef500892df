import { ExitCode, Refusal } from "../../exit-codes.ts";
import { Connection } from "./connection.ts";
import { RedisCoordination } from "./coordination.ts";
import { OwedOutcomes } from "./owed.ts";
import { deploymentDigest, sharedResults } from "./results.ts";
import { endScript } from "./scripts.ts";
import type { RedisPlace } from "./url.ts";

export interface RedisOptions {
  /** The deployment's key, the same for all daemons that share this Redis. */
  readonly key: Uint8Array;
  /** What this daemon is called at every start, such as its chain: what it held when it was killed is found by it. */
  readonly owner: string;
  /** `start`: a Redis that cannot be reached is a refusal. `restart`: the daemon serves already, and goes on without. */
  readonly when: "start" | "restart";
  /** One line when Redis goes away, and one when it is back. */
  log(line: string): void;
}

/** Connects. Throws Refusal (exit code 5) for a Redis that cannot be reached at a start, or that cannot keep claims. */
export const redisCoordination = async (
  place: RedisPlace,
  { key, owner, when, log }: RedisOptions,
): Promise<RedisCoordination> => {
  let away = when === "restart";
  const connection = new Connection(place, deploymentDigest(key), {
    ready: () => {
      if (away) log(`coordination: ${place.shown} is back`);
      away = false;
      coordination.isBack();
    },
    away: (why) => {
      away = true;
      log(
        `coordination: ${place.shown} is away (${why}); calls with a contract or a limit are blocked until it is back`,
      );
    },
    ended: (transaction_id) => coordination.ended(transaction_id),
  });
  const owed = new OwedOutcomes({
    listens: () => connection.ready,
    hear: (args) => connection.run(endScript, args),
  });
  const coordination = new RedisCoordination({ connection, owed, results: sharedResults(key), owner });
  if (when === "restart") connection.openLater();
  else await connection.open().catch((error: unknown) => refuse(place, error));
  return coordination;
};

/** @param error one of ours: its message is a word or a sentence of our own. */
export const refuse = (place: RedisPlace, error: unknown): never => {
  const why = error instanceof Error ? error.message : "unknown";
  throw new Refusal(ExitCode.storeUnavailable, `coordination: cannot use ${place.shown}: ${why}`);
};
