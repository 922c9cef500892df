import type { JsonObject } from "../../../wire/value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import type { ApprovalScope } from "../../contracts/policy.ts";
import type { ApprovalStatus } from "../../transactions/status.ts";
import type { ApprovalView } from "../approval-view.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import { approvalLine, voteLines } from "../display/approval-line.ts";
import { orSaidNo } from "./or-said-no.ts";

const viewIn = (answer: JsonObject): ApprovalView => answer.approval as unknown as ApprovalView;

/** `interlock approvals list`. */
export const listApprovals = (
  seat: OperatorSeat,
  { status, limit }: { readonly status: ApprovalStatus | "all"; readonly limit: number },
  now_ms: number,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const answer = await askOperators(seat, "approvals.list", { status, limit });
    const approvals = answer.approvals as unknown as readonly ApprovalView[];
    const lines = approvals.map((view) => approvalLine(view, now_ms));
    if (lines.length === limit) lines.push(`(the first ${limit}; --limit shows more)`);
    return done(lines.length === 0 ? [`no approval is ${status === "all" ? "there" : status}`] : lines, { approvals });
  });

/** `interlock approvals show ID`: the whole arguments, and every vote. */
export const showApproval = (seat: OperatorSeat, approval_id: string, now_ms: number): Promise<CommandResult> =>
  orSaidNo(async () => {
    const approval = viewIn(await askOperators(seat, "approvals.show", { approval_id }));
    return done([approvalLine(approval, now_ms), ...voteLines(approval)], { approval });
  });

export interface GrantTerms {
  readonly scope: ApprovalScope;
  readonly until_s: number | null;
  readonly note: string | null;
}

/** `interlock approvals grant ID`: one yes. */
export const grantApproval = (
  seat: OperatorSeat,
  approval_id: string,
  { scope, until_s, note }: GrantTerms,
  now_ms: number,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const terms = { scope: { ...scope }, until_s, note };
    const approval = viewIn(await askOperators(seat, "approvals.grant", { approval_id, ...terms }));
    const line = approvalLine(approval, now_ms);
    return done([approval.status === "pending" ? `your yes counts, more are needed: ${line}` : line], { approval });
  });

/** `interlock approvals deny ID`: one no, which decides. */
export const denyApproval = (
  seat: OperatorSeat,
  approval_id: string,
  note: string | null,
  now_ms: number,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const approval = viewIn(await askOperators(seat, "approvals.deny", { approval_id, note }));
    return done([approvalLine(approval, now_ms)], { approval });
  });

/** `interlock approvals revoke ID`: takes back a grant, or a request. */
export const revokeApproval = (seat: OperatorSeat, approval_id: string, now_ms: number): Promise<CommandResult> =>
  orSaidNo(async () => {
    const approval = viewIn(await askOperators(seat, "approvals.revoke", { approval_id }));
    return done([approvalLine(approval, now_ms)], { approval });
  });
