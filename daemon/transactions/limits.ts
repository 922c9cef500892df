import { type Steps, step } from "../store/steps.ts";
import { memberCounter, type SpendingRow, type StoreTx } from "../store/transaction-rows.ts";
import type { Intent, Settled } from "./plan.ts";

/** The first limit that this call would exceed; null where all allow it. An amount that is no amount exceeds any. */
export function* lookUpLimits(tx: StoreTx, intent: Intent): Steps<Extract<Settled, { kind: "limit_exceeded" }> | null> {
  /** What this call itself puts on a counter that several limits share. */
  const own = new Map<string, number>();
  const ownMembers = new Map<string, readonly string[]>();
  for (const { policyId, reason, attributedTo, counter, window_ms, max, amount, members } of intent.limits) {
    const since_ms = intent.now_ms - window_ms;
    let allowed: boolean;
    if (members === null) {
      const before = yield* step(tx.spent(counter, since_ms));
      const ofThisCall = (own.get(counter) ?? 0) + amount;
      own.set(counter, ofThisCall);
      // Written so that NaN, wherever it came from, exceeds.
      allowed = amount >= 0 && before + ofThisCall <= max;
    } else {
      const ofThisCall = [...(ownMembers.get(counter) ?? []), ...members];
      ownMembers.set(counter, ofThisCall);
      allowed = (yield* step(tx.spread(counter, since_ms, ofThisCall))) <= max;
    }
    if (!allowed) return { kind: "limit_exceeded", policyId, reason, attributedTo };
  }
  return null;
}

/** Reserves what the call will spend. It stays spent when the call runs, or nobody knows; a failed call gives it back. */
export function* reserve(tx: StoreTx, { transaction_id, now_ms, limits }: Intent): Steps<void> {
  const rows = limits.flatMap(({ counter, amount, window_ms, members }): readonly SpendingRow[] => {
    const row = { transaction_id, at_ms: now_ms, expires_ms: now_ms + window_ms };
    if (members === null) return [{ ...row, counter, amount }];
    return members.map((member) => ({ ...row, counter: memberCounter(counter, member), amount: 1 }));
  });
  if (rows.length > 0) yield* step(tx.spend(rows));
}
