import { StoreFailed } from "../store/refused.ts";
import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, ClaimRow, StoreTx } from "../store/transaction-rows.ts";
import { takeClaim } from "./claim.ts";
import { reserve } from "./limits.ts";
import type { Intent, Settled } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";
import { transactionRow } from "./transaction-row.ts";

/**
 * Takes all that the call needs, in one store transaction: the claim first, since another writer may have it; then the
 * grant, the limits, and the row that is durable before the client is told to run.
 */
export function* writeAuthorized(
  tx: StoreTx,
  intent: Intent,
  lost: ClaimRow | null,
  grant: ApprovalRow | null,
  deps: SettleDeps,
): Steps<Settled> {
  const answered = yield* takeClaim(tx, intent, lost, deps);
  if (answered !== null) return answered;
  const { transaction_id } = intent;
  const approval_id = grant?.approval_id ?? null;
  const resumed_from = intent.resumed_from ?? (grant?.scope === "once" ? grant.transaction_id : null);
  if (grant?.scope === "once") yield* useUp(tx, grant, intent);
  yield* reserve(tx, intent);
  // Nobody will tell what became of it, nothing waits for that, and nobody said yes to it: what it spent is all there is.
  if (intent.call_id === null && intent.claim === null && grant === null) {
    return { kind: "authorized", transaction_id, approval_id };
  }
  yield* step(tx.insertTransaction(transactionRow(intent, { status: "authorized", approval_id, resumed_from })));
  if (approval_id !== null && resumed_from !== null) {
    yield* step(tx.changeAskers(approval_id, { resumed_by: transaction_id }));
  }
  return { kind: "authorized", transaction_id, approval_id };
}

/** One winner: the change names the version that was judged. Whoever comes second throws, and nothing of it stands. */
function* useUp(tx: StoreTx, { approval_id, version }: ApprovalRow, intent: Intent): Steps<void> {
  const change = { status: "used", used_by: intent.transaction_id, changed_ms: intent.now_ms } as const;
  const used = yield* step(tx.changeApproval(approval_id, version, change));
  if (!used) throw new StoreFailed("an approval changed while it was being used");
}
