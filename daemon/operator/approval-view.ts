import type { JsonObject } from "../../wire/value.ts";
import type { ApprovalNeed, ApprovalScope } from "../contracts/policy.ts";
import type { ApprovalRow, ApprovalVote } from "../store/transaction-rows.ts";
import { isOver } from "../transactions/approvals/expire.ts";
import { needsOf, shapesOf, votesOf } from "../transactions/approvals/row-text.ts";
import { isEligible } from "../transactions/approvals/satisfied.ts";
import { isPermitted } from "../transactions/approvals/scope.ts";
import type { ApprovalStatus } from "../transactions/status.ts";
import type { MaskedCall } from "./masked-call.ts";

/** One need, and how far it is satisfied. */
export interface NeedView {
  readonly policy_id: string | null;
  readonly reason: string;
  readonly by: "client" | "operator";
  readonly roles: readonly string[];
  readonly votes: number;
  readonly count: number;
}

/** An approval as an operator sees it, and the web page later. Times are milliseconds since 1970. Frozen. */
export interface ApprovalView {
  readonly approval_id: string;
  readonly version: number;
  /** What it is at this moment: `expired` from the moment on, whether or not that was written down. */
  readonly status: ApprovalStatus;
  readonly action: string;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly call_id: string | null;
  readonly transaction_id: string;
  readonly reason: string;
  /** As they will run. Null with `args_left_out`: too long for a list, or no longer kept. */
  readonly args: JsonObject | null;
  readonly args_left_out: "long" | "gone" | null;
  /** Paths in `args` whose values are kept from view. */
  readonly redacted: readonly string[];
  readonly needs: readonly NeedView[];
  readonly votes: readonly ApprovalVote[];
  /** What a grant of it may be for. */
  readonly scopes: readonly ApprovalScope[];
  readonly requested_ms: number;
  readonly expires_ms: number;
  /** Of a grant: what it is for, and until when it stands. */
  readonly scope: ApprovalRow["scope"];
  readonly granted_until_ms: number | null;
  readonly decided_by: string | null;
  readonly used_by: string | null;
  readonly changed_ms: number;
}

/** Throws StoreFailed for a row that is damaged. */
export const approvalView = (row: ApprovalRow, call: MaskedCall, now_ms: number): ApprovalView => {
  const votes = votesOf(row);
  return Object.freeze({
    approval_id: row.approval_id,
    version: row.version,
    status: isOver(row, now_ms) ? "expired" : row.status,
    action: row.action,
    principal: row.principal,
    parent_principal: row.parent_principal,
    call_id: row.call_id,
    transaction_id: row.transaction_id,
    reason: row.reason,
    args: typeof call === "string" ? null : call.args,
    args_left_out: typeof call === "string" ? call : null,
    redacted: typeof call === "string" ? [] : call.redacted,
    needs: needsOf(row).map((need) => needView(need, votes)),
    votes,
    scopes: scopesOf(row),
    requested_ms: row.requested_ms,
    expires_ms: row.expires_ms,
    scope: row.scope,
    granted_until_ms: row.granted_until_ms,
    decided_by: row.decided_by,
    used_by: row.used_by,
    changed_ms: row.changed_ms,
  });
};

const needView = (need: ApprovalNeed, votes: readonly ApprovalVote[]): NeedView => {
  const eligible = votes.filter(({ operator, roles }) => isEligible(need, operator, roles));
  const { policyId: policy_id, reason, by, roles, count } = need;
  return { policy_id, reason, by, roles, count, votes: new Set(eligible.map(({ operator }) => operator)).size };
};

/** What every need permits, and the call has. */
const scopesOf = (row: ApprovalRow): readonly ApprovalScope[] => {
  const needs = needsOf(row);
  const shapes = shapesOf(row).map(({ paths }): ApprovalScope => ({ kind: "shape", paths }));
  const all: readonly ApprovalScope[] = [{ kind: "once" }, { kind: "exact" }, ...shapes];
  return all.filter((scope) => isPermitted(needs, scope));
};
