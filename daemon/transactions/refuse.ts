import { type Steps, step } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import type { Intent, Plan, Settled } from "./plan.ts";
import { transactionRow } from "./transaction-row.ts";

/** A gate denied it: the row says why, and nothing is taken. */
export function* settleRefuse(tx: StoreTx, { intent, code }: Extract<Plan, { kind: "refuse" }>): Steps<Settled> {
  return yield* refuseAs(tx, intent, code, { kind: "refused", transaction_id: intent.transaction_id });
}

/** Writes the call down as blocked, by what, and answers `settled`. */
export function* refuseAs<T extends Settled>(
  tx: StoreTx,
  intent: Intent,
  error_type: string | null,
  settled: T,
): Steps<T> {
  yield* step(tx.insertTransaction(transactionRow(intent, { status: "blocked", error_type })));
  return settled;
}
