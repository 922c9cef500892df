import type { ApprovalNeed } from "../contracts/policy.ts";
import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, StoreTx } from "../store/transaction-rows.ts";
import { isOver } from "./approvals/expire.ts";
import { votesOf } from "./approvals/row-text.ts";
import { areMet } from "./approvals/satisfied.ts";
import { isPermitted } from "./approvals/scope.ts";
import type { Intent, Settled, ShapeKey } from "./plan.ts";

/** What there is of a yes for this call. */
export type GrantFinding =
  | { readonly kind: "grant"; readonly grant: ApprovalRow }
  | { readonly kind: "pending"; readonly request: ApprovalRow }
  | { readonly kind: "over"; readonly settled: Settled }
  /** A request is to be made. `instead`: of one that is over, or whose yeses are not those that the rules ask for today. */
  | { readonly kind: "none"; readonly instead: ApprovalRow | null };

export interface Asked {
  readonly needs: readonly ApprovalNeed[];
  readonly shapes: readonly ShapeKey[];
}

export const over = (
  approval_id: string,
  status: Extract<Settled, { kind: "approval_over" }>["status"],
): Extract<GrantFinding, { kind: "over" }> => ({
  kind: "over",
  settled: { kind: "approval_over", approval_id, status },
});

/** The paths that a grant of scope `shape` was for are told by its key: only the shapes of this call are looked at. */
const scopeStands = ({ needs, shapes }: Asked, { scope, match_key }: ApprovalRow): boolean => {
  if (scope === "once") return true;
  if (scope === "exact") return isPermitted(needs, { kind: "exact" });
  const shape = shapes.find(({ key }) => key === match_key);
  return scope === "shape" && shape !== undefined && isPermitted(needs, { kind: "shape", paths: shape.paths });
};

/** Are the yeses that were given the ones that the rules ask for today, in a scope that they permit today? */
export const fits = (asked: Asked, grant: ApprovalRow): boolean =>
  areMet(asked.needs, votesOf(grant)) && scopeStands(asked, grant);

/**
 * A call as it was put, without naming an approval. In this order: a no to this exact call stands until its time is
 * over; a yes to it; a yes that stands for calls like it; a request that is open.
 */
export function* grantFor(tx: StoreTx, intent: Intent, asked: Asked): Steps<GrantFinding> {
  const own = yield* step(tx.approvalFor(intent.fingerprint));
  if (own?.status === "denied" && own.expires_ms > intent.now_ms) return over(own.approval_id, "denied");
  const live = own !== null && own.status !== "denied" && !isOver(own, intent.now_ms) ? own : null;
  if (live?.status === "granted" && fits(asked, live)) return { kind: "grant", grant: live };
  const keys = [intent.fingerprint, ...asked.shapes.map(({ key }) => key)];
  for (const grant of yield* step(tx.standingGrants(keys))) {
    if (!isOver(grant, intent.now_ms) && fits(asked, grant)) return { kind: "grant", grant };
  }
  if (live?.status === "pending") return { kind: "pending", request: live };
  return { kind: "none", instead: own?.status === "pending" || own?.status === "granted" ? own : null };
}
