import { type Steps, step } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { Intent, ResumeOf, Settled } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";

/**
 * Is a call of this id under way? Its result will name the id alone, so two at once could not be told apart. The same
 * call again is no other call where it may run twice, and the first one is lost; nor is a resume that comes twice.
 */
export function* lookUpCallId(
  tx: StoreTx,
  intent: Intent,
  resume: ResumeOf | null,
  deps: SettleDeps,
): Steps<Settled | null> {
  if (intent.call_id === null) return null;
  const open = yield* step(tx.openTransaction(intent.call_id));
  if (open === null) return null;
  if (resume !== null && open.approval_id === resume.approval_id) {
    return yield* outcomeOf(tx, open, intent.now_ms, deps);
  }
  const isLost = open.status === "unknown" || open.lease_until_ms <= intent.now_ms;
  if (isLost && intent.effect !== "write" && open.fingerprint === intent.fingerprint) return null;
  return { kind: "call_id_in_use", transaction_id: open.transaction_id };
}
