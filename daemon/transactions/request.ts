import { StoreFailed } from "../store/refused.ts";
import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, StoreTx } from "../store/transaction-rows.ts";
import { blockAskers } from "./approvals/block-askers.ts";
import { expireApproval, isOver } from "./approvals/expire.ts";
import { shortestTerm_ms } from "./approvals/scope.ts";
import type { Asked } from "./grants.ts";
import { argsPlace } from "./places.ts";
import type { Intent, Settled } from "./plan.ts";
import { refuseAs } from "./refuse.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { transactionRow } from "./transaction-row.ts";

/**
 * Of the call's canonical JSON, as UTF-16 units. Nobody reads more before saying yes, its whole text fits the answer that shows
 * it and the one that runs it, and sealing it keeps other callers waiting for some milliseconds only.
 */
export const maxShownLength = 1024 * 1024;

/**
 * Opens a request for a yes to this exact call: its row, the row of the transaction that asks, and the call as it will
 * be shown and run, sealed. All of it or none.
 *
 * @param instead what was asked or granted for this call and no longer counts; it ends, so that one request is open
 */
export function* openRequest(
  tx: StoreTx,
  intent: Intent,
  asked: Asked & { readonly shown: string },
  instead: ApprovalRow | null,
  deps: SettleDeps,
): Steps<Settled> {
  const [first] = asked.needs;
  if (first === undefined) throw new RangeError("a request for an approval has a need");
  if (instead !== null) yield* endRequest(tx, instead, intent.now_ms);
  if (asked.shown.length > maxShownLength) {
    const { transaction_id } = intent;
    return yield* refuseAs(tx, intent, "approval_too_large", { kind: "approval_too_large", transaction_id });
  }
  const approval_id = deps.newApprovalId();
  const { transaction_id, now_ms } = intent;
  const term_ms = shortestTerm_ms(asked.needs);
  const expires_ms = now_ms + term_ms;
  yield* step(tx.insertTransaction(transactionRow(intent, { status: "pending_approval", approval_id })));
  yield* step(
    tx.insertApproval({
      approval_id,
      version: 1,
      status: "pending",
      action: intent.action,
      principal: intent.principal,
      parent_principal: intent.parent_principal,
      call_id: intent.call_id,
      transaction_id,
      fingerprint: intent.fingerprint,
      reason: first.reason,
      needs: JSON.stringify(asked.needs),
      shapes: JSON.stringify(asked.shapes),
      votes: "[]",
      rules: intent.rules,
      requested_ms: now_ms,
      expires_ms,
      scope: null,
      match_key: null,
      granted_until_ms: null,
      changed_ms: now_ms,
      decided_by: null,
      used_by: null,
    }),
  );
  // A grant that comes in the last moment may be used for as long again.
  const place = argsPlace(approval_id);
  yield* step(tx.putBox(place, expires_ms + term_ms, deps.seal(place, asked.shown)));
  return { kind: "pending", transaction_id, approval_id, expires_ms };
}

function* endRequest(tx: StoreTx, row: ApprovalRow, now_ms: number): Steps<void> {
  if (isOver(row, now_ms)) {
    if ((yield* expireApproval(tx, row, now_ms)) !== null) return;
  } else {
    const change = { status: "revoked", changed_ms: now_ms, decided_by: "rules" } as const;
    if (yield* step(tx.changeApproval(row.approval_id, row.version, change))) {
      return yield* blockAskers(tx, row, "revoked", now_ms);
    }
  }
  throw new StoreFailed("an approval changed while it was being replaced");
}
