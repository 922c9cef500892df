import { type Steps, step } from "../store/steps.ts";
import type { SpendingRow, StoreTx } from "../store/transaction-rows.ts";
import type { Intent, Settled } from "./plan.ts";

/** The first limit that this call would exceed; null where all allow it. An amount that is no amount exceeds any. */
export function* lookUpLimits(tx: StoreTx, intent: Intent): Steps<Extract<Settled, { kind: "limit_exceeded" }> | null> {
  /** What this call itself puts on a counter that several limits share. */
  const own = new Map<string, number>();
  for (const { policyId, reason, attributedTo, counter, window_ms, max, amount } of intent.limits) {
    const before = yield* step(tx.spent(counter, intent.now_ms - window_ms));
    const ofThisCall = (own.get(counter) ?? 0) + amount;
    own.set(counter, ofThisCall);
    // Written so that NaN, wherever it came from, exceeds.
    const allowed = amount >= 0 && before + ofThisCall <= max;
    if (!allowed) return { kind: "limit_exceeded", policyId, reason, attributedTo };
  }
  return null;
}

/** Reserves what the call will spend. It stays spent when the call runs, or nobody knows; a failed call gives it back. */
export function* reserve(tx: StoreTx, { transaction_id, now_ms, limits }: Intent): Steps<void> {
  if (limits.length === 0) return;
  const rows: SpendingRow[] = limits.map(({ counter, amount, window_ms }) => ({
    counter,
    transaction_id,
    at_ms: now_ms,
    amount,
    expires_ms: now_ms + window_ms,
  }));
  yield* step(tx.spend(rows));
}
