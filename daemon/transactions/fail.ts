import { isAtOrBelow } from "../identity/principal-path.ts";
import { type Steps, step } from "../store/steps.ts";
import type { StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import type { Plan, Settled } from "./plan.ts";

/**
 * The client says that the call failed, or that it did not run it. Claim and spending are free again; a grant that was
 * used up stays used: nobody said yes to a second attempt.
 */
export function* settleFail(
  tx: StoreTx,
  { call_id, by, status, error_type, now_ms }: Extract<Plan, { kind: "fail" }>,
): Steps<Settled> {
  const open = yield* step(tx.openTransaction(call_id));
  if (open === null || !isOwnCall(open, by)) return { kind: "unmatched" };
  const { transaction_id } = open;
  yield* markFailed(tx, open, error_type ?? (status === "abandoned" ? "abandoned" : null), now_ms);
  return { kind: "closed", transaction_id };
}

const isOwnCall = ({ principal }: TransactionRow, by: string | null): boolean =>
  by === null || (principal !== null && isAtOrBelow(principal, by));

/** True where it was open until now. */
export function* markFailed(
  tx: StoreTx,
  { transaction_id, claim_key }: TransactionRow,
  error_type: string | null,
  now_ms: number,
): Steps<boolean> {
  const change = { status: "failed", changed_ms: now_ms, error_type } as const;
  if (!(yield* step(tx.changeTransaction(transaction_id, ["authorized", "unknown"], change)))) return false;
  if (claim_key !== null) yield* step(tx.releaseClaim(claim_key, transaction_id));
  yield* step(tx.releaseSpending(transaction_id));
  return true;
}
