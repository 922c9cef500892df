import { type Steps, step } from "../store/steps.ts";
import type { ClaimRow, StoreTx } from "../store/transaction-rows.ts";
import { replayOf } from "./outcome-of.ts";
import type { Intent, Settled } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";

/** Whether this call may be claimed: it is answered by an earlier one, or free, perhaps from a holder who is lost. */
export type ClaimFinding =
  | { readonly free: true; readonly lost: ClaimRow | null }
  | { readonly free: false; readonly settled: Settled };

const free: ClaimFinding = Object.freeze({ free: true, lost: null });

/** Looks and takes nothing. An executed call past its window is as good as none. */
export function* lookUpClaim(tx: StoreTx, intent: Intent, deps: SettleDeps): Steps<ClaimFinding> {
  if (intent.claim === null) return free;
  const held = yield* step(tx.findClaim(intent.claim.key));
  return held === null ? free : yield* judgeClaim(tx, held, intent, deps);
}

function* judgeClaim(tx: StoreTx, held: ClaimRow, intent: Intent, deps: SettleDeps): Steps<ClaimFinding> {
  const { transaction_id, lease_until_ms } = held;
  if (held.state === "executed" && held.expires_ms <= intent.now_ms) return free;
  if (held.content !== intent.claim?.content) return answered({ kind: "key_reused", transaction_id });
  if (held.state === "executed") return answered(yield* replayOf(tx, transaction_id, intent.now_ms, deps));
  if (held.state === "held" && lease_until_ms > intent.now_ms) {
    return answered({ kind: "in_flight", transaction_id, lease_until_ms });
  }
  // Nobody knows whether it ran. Only what may run twice with the effect of once runs again without a person's word.
  return intent.effect === "write" ? answered({ kind: "outcome_unknown", transaction_id }) : { free: true, lost: held };
}

const answered = (settled: Settled): ClaimFinding => ({ free: false, settled });

/**
 * Takes the claim: null where it stands. Else somebody took it after it was looked up, which only stores that have
 * several writers can see, and the call is answered by theirs.
 */
export function* takeClaim(
  tx: StoreTx,
  intent: Intent,
  lost: ClaimRow | null,
  deps: SettleDeps,
): Steps<Settled | null> {
  if (intent.claim === null) return null;
  const { transaction_id, now_ms, lease_ms } = intent;
  if (lost !== null) yield* leaveUnknown(tx, lost, now_ms);
  const lease_until_ms = now_ms + lease_ms;
  const { key, content } = intent.claim;
  const row: ClaimRow = { key, transaction_id, content, state: "held", lease_until_ms, expires_ms: lease_until_ms };
  const before = yield* step(tx.claim(row, now_ms));
  if (before === null) return null;
  const finding = yield* judgeClaim(tx, before, intent, deps);
  return finding.free ? { kind: "outcome_unknown", transaction_id: before.transaction_id } : finding.settled;
}

/** The lost holder's transaction stays `unknown`: its result may still come, and is then its own. */
function* leaveUnknown(tx: StoreTx, lost: ClaimRow, now_ms: number): Steps<void> {
  yield* step(tx.releaseClaim(lost.key, lost.transaction_id));
  yield* step(tx.changeTransaction(lost.transaction_id, ["authorized"], { status: "unknown", changed_ms: now_ms }));
}
