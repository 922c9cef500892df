import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, StoreTx } from "../store/transaction-rows.ts";
import type { GrantFinding } from "./grants.ts";
import type { Intent, Settled } from "./plan.ts";
import { refuseAs } from "./refuse.ts";
import { transactionRow } from "./transaction-row.ts";

/** The call waits for a request that is open, or its approval is over. It takes nothing either way. */
export function* settleWithoutGrant(
  tx: StoreTx,
  intent: Intent,
  found: Extract<GrantFinding, { kind: "pending" | "over" }>,
): Steps<Settled> {
  if (found.kind === "pending") return yield* joinRequest(tx, intent, found.request);
  const { settled } = found;
  if (settled.kind !== "approval_over") return settled;
  return yield* refuseAs(tx, intent, `approval_${settled.status}`, settled);
}

/**
 * One open request for one call, however often it is put: granting one and resuming two pays once. A call id that asks
 * for the first time is noted, so that it may resume.
 */
function* joinRequest(tx: StoreTx, intent: Intent, request: ApprovalRow): Steps<Settled> {
  const { approval_id, transaction_id, expires_ms } = request;
  const { call_id } = intent;
  if (call_id !== null && call_id !== request.call_id && !(yield* step(tx.hasAsked(approval_id, call_id)))) {
    yield* step(tx.insertTransaction(transactionRow(intent, { status: "pending_approval", approval_id })));
  }
  return { kind: "pending", transaction_id, approval_id, expires_ms };
}
