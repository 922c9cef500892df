import { type Steps, step } from "../../store/steps.ts";
import type { ApprovalRow, StoreTx } from "../../store/transaction-rows.ts";
import type { ApprovalStatus } from "../status.ts";

/**
 * What asked for an approval that comes to nothing is blocked with it, and says by what: no transaction is left waiting
 * for a yes that cannot come. One that was resumed meanwhile (by a grant that stands for longer) is linked to what ran.
 */
export function* blockAskers(
  tx: StoreTx,
  { approval_id }: Pick<ApprovalRow, "approval_id">,
  status: Extract<ApprovalStatus, "denied" | "revoked" | "expired">,
  now_ms: number,
): Steps<void> {
  const change = { status: "blocked", changed_ms: now_ms, error_type: `approval_${status}` } as const;
  yield* step(tx.changeAskers(approval_id, change));
}
