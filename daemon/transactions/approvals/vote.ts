import type { ApprovalNeed, ApprovalScope } from "../../contracts/policy.ts";
import { type Steps, step } from "../../store/steps.ts";
import type { ApprovalRow, ApprovalVote, StoreTx } from "../../store/transaction-rows.ts";
import { blockAskers } from "./block-askers.ts";
import { expireApproval, isOver } from "./expire.ts";
import { needsOf, shapesOf, votesOf } from "./row-text.ts";
import { areMet, isEligible } from "./satisfied.ts";
import { grantedTerms, isPermitted, matchKey, maxStandingGrant_ms, shortestTerm_ms } from "./scope.ts";
import { mayBecome } from "./transitions.ts";

/** An operator whom the operator's socket has recognised, with the roles held now. */
export interface Voter {
  readonly name: string;
  readonly roles: readonly string[];
}

export interface Ballot {
  readonly approval_id: string;
  readonly operator: Voter;
  readonly answer: "grant" | "deny";
  /** What a yes is for; `once` where it is not named. */
  readonly scope?: ApprovalScope | undefined;
  /** Until when the grant stands; as the policy says where it is not named. */
  readonly until_ms?: number | undefined;
  readonly note?: string | undefined;
  readonly now_ms: number;
}

/** Why a vote, or a revocation, was not taken. Nothing was changed, except that an approval whose time is over says so. */
export type VoteRefusal =
  | "not_found"
  /** It is granted, denied, revoked or used already. */
  | "not_pending"
  /** Its time is over, whether or not this was the first to find it so. */
  | "expired"
  /** Nobody answers for a call of their own. */
  | "is_requester"
  /** The operator has no role that a need of this approval asks for. */
  | "lacks_role"
  | "voted_already"
  /** The policy that asked does not permit a grant of this scope, or the call has no such shape. */
  | "scope_not_permitted"
  /** `until_ms` is not ahead, or further ahead than a grant of this scope may stand. */
  | "until_out_of_range"
  /** Somebody else changed it in this moment; look at it again. */
  | "changed_meanwhile";

export type VoteOutcome =
  /** `approval` as it stands now: still `pending` where more yeses are needed. */
  | { readonly ok: true; readonly approval: ApprovalRow }
  | { readonly ok: false; readonly code: VoteRefusal; readonly approval: ApprovalRow | null };

const refused = (code: VoteRefusal, approval: ApprovalRow | null): VoteOutcome =>
  Object.freeze({ ok: false, code, approval });

/** Names that differ in case or width only are taken for one: a requester does not become another by spelling. */
const folded = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

export const isRequester = (
  { principal, parent_principal }: Pick<ApprovalRow, "principal" | "parent_principal">,
  name: string,
): boolean =>
  [principal, parent_principal].some((requester) => requester !== null && folded(requester) === folded(name));

/**
 * One operator's yes or no, in a store transaction of the caller's. A no decides at once; a yes decides once every need
 * has its yeses, each from another operator with one of its roles.
 */
export function* castVote(tx: StoreTx, ballot: Ballot): Steps<VoteOutcome> {
  const row = yield* step(tx.findApproval(ballot.approval_id));
  if (row === null) return refused("not_found", null);
  if (isOver(row, ballot.now_ms)) return refused("expired", yield* expireApproval(tx, row, ballot.now_ms));
  const needs = needsOf(row);
  const refusal = refusalOf(row, needs, ballot);
  if (refusal !== null) return refused(refusal, row);
  const change = changeBy(row, needs, ballot);
  if (!(yield* step(tx.changeApproval(row.approval_id, row.version, change)))) {
    return refused("changed_meanwhile", row);
  }
  if (ballot.answer === "deny") yield* blockAskers(tx, row, "denied", ballot.now_ms);
  return Object.freeze({ ok: true, approval: { ...row, ...change, version: row.version + 1 } });
}

const refusalOf = (row: ApprovalRow, needs: readonly ApprovalNeed[], ballot: Ballot): VoteRefusal | null => {
  const { operator, answer } = ballot;
  if (row.status === "expired") return "expired";
  if (!mayBecome(row.status, answer === "grant" ? "granted" : "denied")) return "not_pending";
  if (isRequester(row, operator.name)) return "is_requester";
  if (!needs.some((need) => isEligible(need, operator.name, operator.roles))) return "lacks_role";
  // Who said yes may still say no.
  if (answer === "deny") return null;
  if (votesOf(row).some((vote) => folded(vote.operator) === folded(operator.name))) return "voted_already";
  return scopeRefusal(row, needs, ballot);
};

const scopeRefusal = (row: ApprovalRow, needs: readonly ApprovalNeed[], ballot: Ballot): VoteRefusal | null => {
  const scope = ballot.scope ?? once;
  const hasKey = scope.kind === "once" || matchKey(scope, row.fingerprint, shapesOf(row)) !== null;
  if (!hasKey || !isPermitted(needs, scope)) return "scope_not_permitted";
  if (ballot.until_ms === undefined) return null;
  const longest = scope.kind === "once" ? shortestTerm_ms(needs) : maxStandingGrant_ms;
  const inRange = ballot.until_ms > ballot.now_ms && ballot.until_ms <= ballot.now_ms + longest;
  return inRange ? null : "until_out_of_range";
};

const once: ApprovalScope = Object.freeze({ kind: "once" });

type Change = Parameters<StoreTx["changeApproval"]>[2];

const changeBy = (row: ApprovalRow, needs: readonly ApprovalNeed[], ballot: Ballot): Change => {
  const { operator, now_ms } = ballot;
  const vote: ApprovalVote = {
    operator: operator.name,
    roles: operator.roles,
    time_ms: now_ms,
    scope: ballot.scope ?? once,
    until_ms: ballot.until_ms ?? null,
    note: ballot.note ?? null,
  };
  const votes = [...votesOf(row), vote];
  const cast = { votes: JSON.stringify(votes), changed_ms: now_ms };
  const decided = { ...cast, decided_by: `operator:${operator.name}` };
  if (ballot.answer === "deny") return { ...decided, status: "denied" };
  if (!areMet(needs, votes)) return cast;
  return { ...decided, status: "granted", ...grantedTerms(row, needs, shapesOf(row), votes, now_ms) };
};
