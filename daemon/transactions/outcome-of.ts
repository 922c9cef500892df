import { type Steps, step } from "../store/steps.ts";
import type { StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { resultPlace } from "./places.ts";
import type { Settled } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";

/** The recorded result of an executed call, sealed until here; null in it where it was withheld or is no longer kept. */
export function* replayOf(tx: StoreTx, transaction_id: string, now_ms: number, deps: SettleDeps): Steps<Settled> {
  const place = resultPlace(transaction_id);
  const box = yield* step(tx.findBox(place, now_ms));
  return { kind: "replay", transaction_id, result: box === null ? null : deps.open(place, box) };
}

/** What is to be said of a call that was let run before; null where it failed, so that it counts for nothing. */
export function* outcomeOf(
  tx: StoreTx,
  { transaction_id, status, lease_until_ms }: TransactionRow,
  now_ms: number,
  deps: SettleDeps,
): Steps<Settled | null> {
  if (status === "executed") return yield* replayOf(tx, transaction_id, now_ms, deps);
  if (status === "authorized" && lease_until_ms > now_ms) return { kind: "in_flight", transaction_id, lease_until_ms };
  if (status === "authorized" || status === "unknown") return { kind: "outcome_unknown", transaction_id };
  return null;
}
