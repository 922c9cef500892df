import { type Steps, step } from "../store/steps.ts";
import type { StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { resultPlace } from "./places.ts";
import type { Plan, Settled } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";

/** A longer result is not kept: sealing is on every other caller's time too. A repeat is told that the call ran, without it. */
export const maxKeptResultLength = 256 * 1024;
/** For how long a resume that comes again is answered with the result, where the contract names no longer window. */
export const resumedResultFor_ms = 24 * 60 * 60 * 1000;

/**
 * A result arrived: the call ran, whatever the result rules say of it. One that comes late, after the call was given up
 * as unknown, settles it all the same.
 */
export function* settleClose(
  tx: StoreTx,
  { call_id, action, principal, now_ms, result }: Extract<Plan, { kind: "close" }>,
  deps: SettleDeps,
): Steps<Settled> {
  const open = yield* step(tx.openTransaction(call_id));
  // Another principal's result says nothing of this call, nor does another tool's whose call has the same id.
  if (open === null || open.principal !== principal || open.action !== action) return { kind: "unmatched" };
  const { transaction_id } = open;
  yield* markExecuted(tx, open, now_ms);
  const keep_ms = Math.max(open.claim_window_ms, open.approval_id === null ? 0 : resumedResultFor_ms);
  if (result !== null && result.length <= maxKeptResultLength && keep_ms > 0) {
    const place = resultPlace(transaction_id);
    yield* step(tx.putBox(place, now_ms + keep_ms, deps.seal(place, result)));
  }
  return { kind: "closed", transaction_id };
}

/** True where it was open until now. What it spent stays spent; its claim answers repeats for the contract's window. */
export function* markExecuted(tx: StoreTx, open: TransactionRow, now_ms: number): Steps<boolean> {
  const { transaction_id, claim_key, claim_window_ms, lease_until_ms } = open;
  const change = { status: "executed", changed_ms: now_ms, error_type: null } as const;
  if (!(yield* step(tx.changeTransaction(transaction_id, ["authorized", "unknown"], change)))) return false;
  if (claim_key !== null) {
    const claim = { state: "executed", lease_until_ms, expires_ms: now_ms + claim_window_ms } as const;
    yield* step(tx.changeClaim(claim_key, transaction_id, claim));
  }
  return true;
}
