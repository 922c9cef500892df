import { type Steps, step } from "../../store/steps.ts";
import type { ApprovalRow, StoreTx } from "../../store/transaction-rows.ts";
import { blockAskers } from "./block-askers.ts";

/** Is its time over? That counts from the moment itself, whether or not somebody has written it down. */
export const isOver = (
  { status, expires_ms, granted_until_ms }: Pick<ApprovalRow, "status" | "expires_ms" | "granted_until_ms">,
  now_ms: number,
): boolean =>
  (status === "pending" && expires_ms <= now_ms) || (status === "granted" && (granted_until_ms ?? 0) <= now_ms);

/** Writes down that a pending or granted one is over; null where somebody changed it meanwhile, or it is not over. */
export function* expireApproval(tx: StoreTx, row: ApprovalRow, now_ms: number): Steps<ApprovalRow | null> {
  if (!isOver(row, now_ms)) return null;
  const change = { status: "expired", changed_ms: now_ms } as const;
  if (!(yield* step(tx.changeApproval(row.approval_id, row.version, change)))) return null;
  yield* blockAskers(tx, row, "expired", now_ms);
  return { ...row, ...change, version: row.version + 1 };
}
