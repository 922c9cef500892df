import { type Steps, step } from "../../store/steps.ts";
import type { StoreTx } from "../../store/transaction-rows.ts";
import { blockAskers } from "./block-askers.ts";
import { expireApproval, isOver } from "./expire.ts";
import { needsOf } from "./row-text.ts";
import { isEligible } from "./satisfied.ts";
import { mayBecome } from "./transitions.ts";
import type { VoteOutcome, Voter } from "./vote.ts";

export interface Revocation {
  readonly approval_id: string;
  readonly operator: Voter;
  readonly now_ms: number;
}

/**
 * Takes back a grant that was not used up, or a request. Calls that it let through have run; none will run by it from
 * here. Whoever could have granted it may revoke it, the requester too: it takes away and gives nothing.
 */
export function* revokeApproval(tx: StoreTx, { approval_id, operator, now_ms }: Revocation): Steps<VoteOutcome> {
  const row = yield* step(tx.findApproval(approval_id));
  if (row === null) return { ok: false, code: "not_found", approval: null };
  if (isOver(row, now_ms)) return { ok: false, code: "expired", approval: yield* expireApproval(tx, row, now_ms) };
  if (row.status === "expired") return { ok: false, code: "expired", approval: row };
  if (!mayBecome(row.status, "revoked")) return { ok: false, code: "not_pending", approval: row };
  if (!needsOf(row).some((need) => isEligible(need, operator.name, operator.roles))) {
    return { ok: false, code: "lacks_role", approval: row };
  }
  const change = { status: "revoked", changed_ms: now_ms, decided_by: `operator:${operator.name}` } as const;
  if (!(yield* step(tx.changeApproval(approval_id, row.version, change)))) {
    return { ok: false, code: "changed_meanwhile", approval: row };
  }
  yield* blockAskers(tx, row, "revoked", now_ms);
  return { ok: true, approval: { ...row, ...change, version: row.version + 1 } };
}
