import type { ApprovalScope } from "../contracts/policy.ts";
import type { ApprovalStatus, ClaimState, TransactionStatus } from "../transactions/status.ts";
import type { DocumentReads, DocumentTx } from "./document-rows.ts";
import type { PrunedMark } from "./reader-rows.ts";
import type { Maybe } from "./steps.ts";
import type { StopReads, StopTx } from "./stop-rows.ts";
import type { NewReceipt } from "./store.ts";

/** A pipeline run of a call that has a contract, or that somebody had to approve. */
export interface TransactionRow {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  readonly call_id: string | null;
  readonly action: string;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly effect: "read" | "idempotent" | "write";
  readonly fingerprint: string;
  readonly claim_key: string | null;
  readonly claim_window_ms: number;
  readonly approval_id: string | null;
  readonly resumed_from: string | null;
  readonly resumed_by: string | null;
  readonly rules: string;
  readonly created_ms: number;
  /** Past it an `authorized` call is `unknown`. */
  readonly lease_until_ms: number;
  /** When it became what it is. */
  readonly changed_ms: number;
  readonly error_type: string | null;
}

/** The unique row that keeps a call from running twice. */
export interface ClaimRow {
  readonly key: string;
  readonly transaction_id: string;
  /** What a repeat has to have equal (`claim.content` of the plan): a caller's key used for another call is told by it. */
  readonly content: string;
  readonly state: ClaimState;
  readonly lease_until_ms: number;
  /** Once `executed`, past this moment the row is as good as gone. A `held` or `unknown` one never expires by itself. */
  readonly expires_ms: number;
}

export interface ApprovalVote {
  /** An operator's name, or `client:<principal>` where the client may say yes itself. */
  readonly operator: string;
  /** The roles that the operator held when voting. */
  readonly roles: readonly string[];
  readonly time_ms: number;
  /** What this yes was for. A grant is for no more than every yes was. */
  readonly scope: ApprovalScope;
  /** Null: as long as the request's terms say. */
  readonly until_ms: number | null;
  readonly note: string | null;
}

export interface ApprovalRow {
  /** `ap_` and 22 characters. */
  readonly approval_id: string;
  /** Rises with every change: an update names the version that it saw. */
  readonly version: number;
  readonly status: ApprovalStatus;
  readonly action: string;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly call_id: string | null;
  /** The transaction that asked first. */
  readonly transaction_id: string;
  readonly fingerprint: string;
  readonly reason: string;
  /** JSON text of `ApprovalNeed[]` (contracts/policy.ts). */
  readonly needs: string;
  /** JSON text of `ShapeKey[]` (transactions/plan.ts). */
  readonly shapes: string;
  /** JSON text of `ApprovalVote[]`. */
  readonly votes: string;
  readonly rules: string;
  readonly requested_ms: number;
  readonly expires_ms: number;
  /** Once granted: what the grant is for. */
  readonly scope: "once" | "exact" | "shape" | null;
  /** Of `exact` and `shape`: what a later call is found by: its fingerprint, or the shape's key. */
  readonly match_key: string | null;
  readonly granted_until_ms: number | null;
  readonly changed_ms: number;
  /** Who decided: `operator:<name>`, `client:<principal>`, or `rules` where they ask for more by now; null while nobody has. */
  readonly decided_by: string | null;
  /** The transaction that used a `once` grant up. */
  readonly used_by: string | null;
}

export interface SpendingRow {
  readonly counter: string;
  readonly transaction_id: string;
  readonly at_ms: number;
  readonly amount: number;
  /** When it leaves its window. */
  readonly expires_ms: number;
}

/** Where a member of a counter stands. Members and counters are hex, so one counter's members lie side by side and no other's between. */
export const memberCounter = (counter: string, member: string): string => `${counter}:${member}`;

/** What all members of a counter lie between, by the order of their bytes. */
export const membersOf = (counter: string): readonly [after: string, before: string] => [`${counter}:`, `${counter};`];

export interface ApprovalFilter {
  readonly status: ApprovalStatus | "all";
  readonly limit: number;
}

export interface TransactionFilter {
  readonly status: TransactionStatus | "all";
  readonly limit: number;
}

/** Reads, outside of a transaction or inside of one. */
export interface TransactionReads extends StopReads, DocumentReads {
  findTransaction(transaction_id: string): Maybe<TransactionRow | null>;
  findApproval(approval_id: string): Maybe<ApprovalRow | null>;
  findClaim(key: string): Maybe<ClaimRow | null>;
  /** Pending ones oldest first, as they wait; others newest first. */
  listApprovals(filter: ApprovalFilter): Maybe<readonly ApprovalRow[]>;
  /** Newest first. */
  listTransactions(filter: TransactionFilter): Maybe<readonly TransactionRow[]>;
  /** A sealed box by its place; null where there is none, or it expired. */
  findBox(place: string, now_ms: number): Maybe<Uint8Array | null>;
}

/**
 * One store transaction: all of it becomes durable or none. Rows that are read here stay as they are until it ends: on
 * SQLite there is one writer; on PostgreSQL what is read is locked. Every method may throw StoreFailed.
 */
export interface StoreTx extends TransactionReads, StopTx, DocumentTx {
  /** Appends receipts in order. A second row with the same number throws. */
  insertReceipts(rows: readonly NewReceipt[]): Maybe<void>;
  /** Inserts; null where it stands now, else the row that was there. An `executed` row past its `expires_ms` is replaced. */
  claim(row: ClaimRow, now_ms: number): Maybe<ClaimRow | null>;
  /** False where the row is another transaction's. */
  changeClaim(
    key: string,
    transaction_id: string,
    change: Pick<ClaimRow, "state" | "lease_until_ms" | "expires_ms">,
  ): Maybe<boolean>;
  releaseClaim(key: string, transaction_id: string): Maybe<boolean>;
  insertTransaction(row: TransactionRow): Maybe<void>;
  /** Conditional: false where the row is not in one of `from`. Only the given columns change. */
  changeTransaction(
    transaction_id: string,
    from: readonly TransactionStatus[],
    change: Partial<Pick<TransactionRow, "status" | "changed_ms" | "error_type" | "resumed_by" | "approval_id">>,
  ): Maybe<boolean>;
  /** The one that is `authorized` or `unknown` under this call id, newest first; null where there is none. */
  openTransaction(call_id: string): Maybe<TransactionRow | null>;
  /** Has a call of this id asked for this approval, or run by it? (A row of both, whatever its status.) */
  hasAsked(approval_id: string, call_id: string): Maybe<boolean>;
  /** All that asked for it and neither were resumed nor blocked. */
  changeAskers(
    approval_id: string,
    change: Partial<Pick<TransactionRow, "status" | "changed_ms" | "error_type" | "resumed_by">>,
  ): Maybe<void>;
  /** `authorized` ones whose lease is over, oldest first. */
  overdueTransactions(now_ms: number, limit: number): Maybe<readonly TransactionRow[]>;
  insertApproval(row: ApprovalRow): Maybe<void>;
  /** Conditional on `version`; the row's version rises by one. False where somebody else changed it first. */
  changeApproval(
    approval_id: string,
    version: number,
    change: Partial<
      Pick<
        ApprovalRow,
        | "status"
        | "votes"
        | "scope"
        | "match_key"
        | "granted_until_ms"
        | "changed_ms"
        | "decided_by"
        | "used_by"
        | "expires_ms"
      >
    >,
  ): Maybe<boolean>;
  /** The newest approval of this exact call: pending, granted or denied, whatever its time. Serialises two that ask at once. */
  approvalFor(fingerprint: string): Maybe<ApprovalRow | null>;
  /** Granted ones of scope `exact` or `shape` with one of these keys. */
  standingGrants(match_keys: readonly string[]): Maybe<readonly ApprovalRow[]>;
  /** Pending or granted ones whose time is over. */
  overdueApprovals(now_ms: number, limit: number): Maybe<readonly ApprovalRow[]>;
  /** The sum of what was spent on a counter later than `since_ms`. Nobody else spends on it until the transaction ends. */
  spent(counter: string, since_ms: number): Maybe<number>;
  spend(rows: readonly SpendingRow[]): Maybe<void>;
  /**
   * How many different members stand on a counter later than `since_ms`, with `own`; 0 where `own` adds none. A member stands there
   * by a row whose counter is its `memberCounter`. Nobody else puts one there until the transaction ends.
   */
  spread(counter: string, since_ms: number, own: readonly string[]): Maybe<number>;
  /** A call that did not run gives back what it had reserved. */
  releaseSpending(transaction_id: string): Maybe<void>;
  putBox(place: string, expires_ms: number, box: Uint8Array): Maybe<void>;
  /**
   * Retention: deletes all receipts up to the mark's, their salts, kept answers and captured calls, and the checkpoints
   * before it, and leaves the mark. The newest receipt stays. To be noted in the chain in the same transaction. Throws StoreFailed.
   */
  prune(mark: PrunedMark): Maybe<void>;
  /** Notes that a token was shown that may be shown once, by its digest; false where it was noted before. */
  useToken(digest: string, expires_ms: number): Maybe<boolean>;
  /** Deletes boxes, spending, executed claims and notes of tokens whose time is over; where there is much, a part of it with each call. */
  deleteExpired(now_ms: number): Maybe<void>;
}
