import type { ApprovalRow, ClaimRow, SpendingRow, TransactionRow } from "./transaction-rows.ts";

/** For tests: rows with every column set. */
export const transactionRow = (changes: Partial<TransactionRow> = {}): TransactionRow => ({
  transaction_id: "tx_1",
  status: "authorized",
  call_id: "call-1",
  action: "refund",
  principal: "agent-1",
  parent_principal: null,
  effect: "write",
  fingerprint: "f1",
  claim_key: "k1",
  claim_window_ms: 1_000,
  approval_id: null,
  resumed_from: null,
  resumed_by: null,
  rules: "sha256:aa",
  created_ms: 1_000,
  lease_until_ms: 2_000,
  changed_ms: 1_000,
  error_type: null,
  ...changes,
});

export const claimRow = (changes: Partial<ClaimRow> = {}): ClaimRow => ({
  key: "k1",
  transaction_id: "tx_1",
  content: "k1",
  state: "held",
  lease_until_ms: 2_000,
  expires_ms: 2_000,
  ...changes,
});

export const approvalRow = (changes: Partial<ApprovalRow> = {}): ApprovalRow => ({
  approval_id: "ap_1",
  version: 1,
  status: "pending",
  action: "refund",
  principal: "agent-1",
  parent_principal: null,
  call_id: "call-1",
  transaction_id: "tx_1",
  fingerprint: "f1",
  reason: "over 500",
  needs: "[]",
  shapes: "[]",
  votes: "[]",
  rules: "sha256:aa",
  requested_ms: 1_000,
  expires_ms: 5_000,
  scope: null,
  match_key: null,
  granted_until_ms: null,
  changed_ms: 1_000,
  decided_by: null,
  used_by: null,
  ...changes,
});

export const spendingRow = (changes: Partial<SpendingRow> = {}): SpendingRow => ({
  counter: "c1",
  transaction_id: "tx_1",
  at_ms: 1_000,
  amount: 1,
  expires_ms: 5_000,
  ...changes,
});
