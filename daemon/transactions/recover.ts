import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, StoreTx, TransactionRow } from "../store/transaction-rows.ts";
import { expireApproval } from "./approvals/expire.ts";

/** So many of each kind in one store transaction: callers wait for it. What is left is for the next. */
export const maxRecovered = 256;

/** What the clock changed, as it stands now. */
export type Recovered =
  | { readonly kind: "unknown"; readonly transaction: TransactionRow }
  | { readonly kind: "expired"; readonly approval: ApprovalRow };

/**
 * What time has settled, in a store transaction of the caller's: a call whose lease is over and of which nothing was
 * heard is `unknown`, and so is its claim; approvals whose time is over are `expired`; what was kept for a while is
 * deleted. To be run at a start, and now and then.
 */
export function* recover(tx: StoreTx, now_ms: number): Steps<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const row of yield* step(tx.overdueTransactions(now_ms, maxRecovered))) {
    const change = { status: "unknown", changed_ms: now_ms } as const;
    if (!(yield* step(tx.changeTransaction(row.transaction_id, ["authorized"], change)))) continue;
    if (row.claim_key !== null) {
      const { lease_until_ms } = row;
      const claim = { state: "unknown", lease_until_ms, expires_ms: lease_until_ms } as const;
      yield* step(tx.changeClaim(row.claim_key, row.transaction_id, claim));
    }
    recovered.push({ kind: "unknown", transaction: { ...row, ...change } });
  }
  for (const row of yield* step(tx.overdueApprovals(now_ms, maxRecovered))) {
    const approval = yield* expireApproval(tx, row, now_ms);
    if (approval !== null) recovered.push({ kind: "expired", approval });
  }
  yield* step(tx.deleteExpired(now_ms));
  return recovered;
}
