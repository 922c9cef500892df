import type { ApprovalView, NeedView } from "../approval-view.ts";
import { argumentsText } from "./arguments-text.ts";
import { quotedText, safeName, safeText } from "./safe-text.ts";
import { isoText, spanText } from "./time-text.ts";

/**
 * One line that says what will happen: the call as it will run, for whom, why somebody is asked, how long, and who has said yes. What the agent
 * chose stands in quotes and can end none of them.
 */
export const approvalLine = (view: ApprovalView, now_ms: number): string =>
  [
    `${view.approval_id} ${view.status}: ${safeName(view.action)} ${argumentsOf(view)} for ${whoOf(view)}`,
    `because ${safeText(view.reason)}`,
    stateOf(view, now_ms),
  ].join("; ");

const argumentsOf = ({ args, args_left_out, redacted, approval_id }: ApprovalView): string => {
  if (args !== null) return argumentsText(args, redacted);
  return args_left_out === "long"
    ? `(long arguments: interlock approvals show ${approval_id})`
    : "(arguments no longer kept)";
};

const whoOf = ({ principal, parent_principal }: ApprovalView): string => {
  const who = principal === null ? "nobody named" : quotedText(principal);
  return parent_principal === null ? who : `${who} of ${quotedText(parent_principal)}`;
};

const stateOf = (view: ApprovalView, now_ms: number): string => {
  const { status, needs, expires_ms, requested_ms, granted_until_ms, decided_by, changed_ms, used_by } = view;
  const by = decided_by === null ? "" : ` by ${safeName(decided_by)}`;
  switch (status) {
    case "pending":
      return `asked ${spanText(now_ms - requested_ms)} ago, over in ${spanText(expires_ms - now_ms)}; ${needs.map(needText).join(", ")}`;
    case "granted": {
      const until_ms = granted_until_ms ?? expires_ms;
      return `granted${by}, ${scopeText(view)}, until ${isoText(until_ms)} (${spanText(until_ms - now_ms)})`;
    }
    case "denied":
    case "revoked":
      return `${status}${by} ${isoText(changed_ms)}`;
    case "expired":
      return `its time was over ${isoText(granted_until_ms ?? expires_ms)}`;
    case "used":
      return `granted${by}, ran as ${used_by ?? "no transaction"}`;
  }
};

const scopeText = ({ scope, votes }: ApprovalView): string => {
  if (scope === "once") return "for one run";
  if (scope === "exact") return "for every run of exactly this";
  const shape = votes.map((vote) => vote.scope).find(({ kind }) => kind === "shape");
  const paths = shape?.kind === "shape" ? shape.paths.map(safeName).join(", ") : "its shape";
  return `for every call of this tool and principal that has the same ${paths}`;
};

const needText = ({ by, roles, votes, count }: NeedView): string => {
  const who = by === "client" ? " (its client may say yes too)" : "";
  return `${votes} of ${count} yes${roles.length === 0 ? "" : ` by ${roles.map(safeName).join(" or ")}`}${who}`;
};

/** Each vote, below the line. */
export const voteLines = ({ votes }: ApprovalView): readonly string[] =>
  votes.map(
    ({ operator, time_ms, note }) =>
      `  ${safeName(operator)} ${isoText(time_ms)}${note === null ? "" : `: ${quotedText(note)}`}`,
  );
