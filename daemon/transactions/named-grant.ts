import type { ApprovalNeed } from "../contracts/policy.ts";
import { type Steps, step } from "../store/steps.ts";
import type { ApprovalRow, ApprovalVote, StoreTx } from "../store/transaction-rows.ts";
import { isOver } from "./approvals/expire.ts";
import { needsOf, votesOf } from "./approvals/row-text.ts";
import { areMet, clientVoter, isEligible } from "./approvals/satisfied.ts";
import { shortestTerm_ms } from "./approvals/scope.ts";
import { type Asked, fits, type GrantFinding, over } from "./grants.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { Intent, ResumeOf } from "./plan.ts";
import type { SettleDeps } from "./settle-deps.ts";

/** The approval that a resume names, where the rules ask for somebody's yes today too. */
export function* namedGrant(
  tx: StoreTx,
  intent: Intent,
  resume: ResumeOf,
  asked: Asked,
  deps: SettleDeps,
): Steps<GrantFinding> {
  const found = yield* findNamed(tx, intent, resume, deps);
  if (found.kind === "pending") return yield* clientSaysYes(tx, found.request, intent, asked.needs);
  if (found.kind !== "grant" || fits(asked, found.grant)) return found;
  return { kind: "none", instead: found.grant };
}

/** The approval that a resume names, where the rules ask for nothing any more. It has to stand all the same. */
export function* standingGrant(tx: StoreTx, intent: Intent, resume: ResumeOf, deps: SettleDeps): Steps<Standing> {
  const found = yield* findNamed(tx, intent, resume, deps);
  if (found.kind !== "pending") return found;
  return yield* clientSaysYes(tx, found.request, intent, needsOf(found.request));
}

type Standing = Exclude<GrantFinding, { kind: "none" }>;

/**
 * It has to be of this call: the fingerprint holds principal, action and arguments, and the call id is one that asked
 * for it. So nobody runs another's approved call, or another call by it; and nobody is told its result who holds the
 * approval's id alone, which is why this is asked before anything else is answered.
 */
function* findApprovalOf(
  tx: StoreTx,
  intent: Intent,
  { approval_id, call_id }: ResumeOf,
): Steps<ApprovalRow | Extract<GrantFinding, { kind: "over" }>> {
  const row = yield* step(tx.findApproval(approval_id));
  if (row === null) return over(approval_id, "missing");
  if (row.fingerprint !== intent.fingerprint) return over(approval_id, "other_call");
  if (row.call_id !== call_id && !(yield* step(tx.hasAsked(approval_id, call_id)))) {
    return over(approval_id, "other_call");
  }
  return row;
}

/** Null where the approval that is named is one of this call, whatever became of it. */
export function* strangerTo(
  tx: StoreTx,
  intent: Intent,
  resume: ResumeOf | null,
): Steps<Extract<GrantFinding, { kind: "over" }> | null> {
  if (resume === null) return null;
  const found = yield* findApprovalOf(tx, intent, resume);
  return "settled" in found ? found : null;
}

function* findNamed(tx: StoreTx, intent: Intent, resume: ResumeOf, deps: SettleDeps): Steps<Standing> {
  const { approval_id } = resume;
  const row = yield* findApprovalOf(tx, intent, resume);
  if ("settled" in row) {
    return row;
  }
  if (row.status === "used") return yield* becameOf(tx, row, intent.now_ms, deps);
  if (row.status !== "pending" && row.status !== "granted") return over(approval_id, row.status);
  if (isOver(row, intent.now_ms)) return over(approval_id, "expired");
  return row.status === "pending" ? { kind: "pending", request: row } : { kind: "grant", grant: row };
}

/** A grant is used once. Whoever comes again is told what became of the call that used it. */
function* becameOf(tx: StoreTx, row: ApprovalRow, now_ms: number, deps: SettleDeps): Steps<Standing> {
  const by = row.used_by === null ? null : yield* step(tx.findTransaction(row.used_by));
  const settled = by === null ? null : yield* outcomeOf(tx, by, now_ms, deps);
  return settled === null ? over(row.approval_id, "used") : { kind: "over", settled };
}

/** A resume is the client's own yes, where a need leaves it to the client. It is written down, and counts for those needs alone. */
function* clientSaysYes(
  tx: StoreTx,
  row: ApprovalRow,
  intent: Intent,
  needs: readonly ApprovalNeed[],
): Steps<Standing> {
  const { now_ms } = intent;
  const voter = clientVoter(intent.principal);
  if (![...needs, ...needsOf(row)].some((need) => need.by === "client" && isEligible(need, voter, []))) {
    return { kind: "pending", request: row };
  }
  const before = votesOf(row);
  const hasVoted = before.some(({ operator }) => operator === voter);
  const votes = hasVoted ? before : [...before, yesOf(voter, now_ms)];
  // Those that asked first and those that ask today: neither is passed over.
  const granted = areMet(needs, votes) && areMet(needsOf(row), votes);
  if (hasVoted && !granted) return { kind: "pending", request: row };
  const cast = { votes: JSON.stringify(votes), changed_ms: now_ms };
  const change = granted
    ? ({
        ...cast,
        status: "granted",
        scope: "once",
        granted_until_ms: now_ms + shortestTerm_ms(needs),
        decided_by: voter,
      } as const)
    : cast;
  const changed = { ...row, ...change, version: row.version + 1 };
  if (!(yield* step(tx.changeApproval(row.approval_id, row.version, change)))) return { kind: "pending", request: row };
  return granted ? { kind: "grant", grant: changed } : { kind: "pending", request: changed };
}

const yesOf = (voter: string, now_ms: number): ApprovalVote => ({
  operator: voter,
  roles: [],
  time_ms: now_ms,
  scope: { kind: "once" },
  until_ms: null,
  note: null,
});
