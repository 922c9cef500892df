import { type Steps, step } from "../store/steps.ts";
import type { StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { markExecuted } from "./close.ts";
import { markFailed } from "./fail.ts";

export type ResolveOutcome =
  | { readonly ok: true; readonly transaction: TransactionRow }
  | {
      readonly ok: false;
      readonly code: "not_found" | "not_unknown";
      readonly transaction: TransactionRow | null;
    };

/**
 * An operator's word on a call of which nobody knows whether it ran. `executed`: repeats are told so, without a result.
 * `failed`: it may run again, and what it had spent is given back. A call whose lease still runs is not unknown yet.
 */
export function* resolveUnknown(
  tx: StoreTx,
  transaction_id: string,
  outcome: "executed" | "failed",
  now_ms: number,
): Steps<ResolveOutcome> {
  const row = yield* step(tx.findTransaction(transaction_id));
  if (row === null) return { ok: false, code: "not_found", transaction: null };
  const isUnknown = row.status === "unknown" || (row.status === "authorized" && row.lease_until_ms <= now_ms);
  if (!isUnknown) return { ok: false, code: "not_unknown", transaction: row };
  const error_type = outcome === "failed" ? "resolved_failed" : null;
  const resolved =
    outcome === "executed" ? yield* markExecuted(tx, row, now_ms) : yield* markFailed(tx, row, error_type, now_ms);
  if (!resolved) return { ok: false, code: "not_unknown", transaction: row };
  return { ok: true, transaction: { ...row, status: outcome, changed_ms: now_ms, error_type } };
}
