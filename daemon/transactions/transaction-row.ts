import type { TransactionRow } from "../store/transaction-rows.ts";
import type { Intent } from "./plan.ts";

type Said = Pick<TransactionRow, "status"> &
  Partial<Pick<TransactionRow, "approval_id" | "resumed_from" | "error_type">>;

/** The row of a call as it is decided. */
export const transactionRow = (intent: Intent, said: Said): TransactionRow => ({
  transaction_id: intent.transaction_id,
  status: said.status,
  call_id: intent.call_id,
  action: intent.action,
  principal: intent.principal,
  parent_principal: intent.parent_principal,
  effect: intent.effect,
  fingerprint: intent.fingerprint,
  claim_key: intent.claim?.key ?? null,
  claim_window_ms: intent.claim?.window_ms ?? 0,
  approval_id: said.approval_id ?? null,
  resumed_from: said.resumed_from ?? intent.resumed_from,
  resumed_by: null,
  rules: intent.rules,
  created_ms: intent.now_ms,
  lease_until_ms: intent.now_ms + intent.lease_ms,
  changed_ms: intent.now_ms,
  error_type: said.error_type ?? null,
});
