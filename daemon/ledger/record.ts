import type { Phase } from "../../wire/event.ts";
import type { Grade } from "../../wire/grade.ts";
import type { JsonValue } from "../../wire/value.ts";
import type { VerdictName } from "../../wire/verdict.ts";
import type { ReasonCode } from "../engine/reason-codes.ts";
import type { PrincipalSource } from "../identity/acting.ts";
import type { CheckpointReads } from "../store/checkpoint-rows.ts";
import type { Maybe, Steps } from "../store/steps.ts";
import type { Head, ReceiptRow, ServedVersion } from "../store/store.ts";
import type { StoreTx, TransactionReads } from "../store/transaction-rows.ts";
import type { Plan, Settled } from "../transactions/plan.ts";
import type { NamedCall } from "./resend-index.ts";

/** A decision that a client made by its fallback policy while no daemon could be reached, as the client told it. */
export interface OfflineDecision {
  /** The client's clock. */
  readonly at_ms: number;
  /** `<id>@<version>` of the policy. */
  readonly policy: string;
}

/** One decision as the engine made it: what the ledger turns into a receipt. Nothing here is a value of a call but `argsCanonical` and `finalCanonical`. */
export interface DecisionRecord {
  readonly time_ms: number;
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly principal_source: PrincipalSource;
  /** The principal that the connection is bound to, by token or configuration; null where nothing binds it. */
  readonly identity: string | null;
  readonly parent_principal: string | null;
  readonly span_id: string | null;
  readonly call_id: string | null;
  /** The transaction that this decision is of, `tx_...`; null for a call that has no contract and needed nobody's yes. */
  readonly transaction_id: string | null;
  /** What the client said it is in its hello: a claim. Null for one that said no hello. */
  readonly client: string | null;
  /** How the client says it intercepts; null where it did not say. */
  readonly grade: Grade | null;
  /** Null for a decision of this daemon. */
  readonly offline: OfflineDecision | null;
  /** Which client session asked: hex of the first 16 bytes of SHA-256 of its nonce; null without `resend`. */
  readonly session: string | null;
  /** The request's id on the wire. */
  readonly request: string;
  readonly verdict: VerdictName;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  /** Digest of the rules that judged, `sha256:<hex>`, and their version. */
  readonly rules: string;
  readonly rules_version: number;
  /** `<set>@<version>/<tool>` of the contract that the call has; null where it has none. */
  readonly contract: string | null;
  /** `<set>@<version>` of the sets whose policies were looked at. The same list where they are the same (decision-receipt.ts). */
  readonly policies: readonly string[];
  /** `<id>@<version>` of the scope document that judged; null where none is served. */
  readonly scope: string | null;
  /** `sha256:<hex>` of the surface that the call was held against; null for a call of no server's tool, or where nothing was approved. */
  readonly surface: string | null;
  /** Of a result, an outcome or a resume: the number of the receipt by which its call was decided; null where that is not known. */
  readonly decided: number | null;
  /** Canonical JSON text of the trace: an array of `"<gate>[/<rule>]:<ANSWER>"`. */
  readonly traceJson: string;
  /** JCS text of the arguments, or of the response, as it was put; the receipt holds a salted commitment to it, never the text. */
  readonly argsCanonical: string;
  /** Of a decision whose client kept what was put: its own commitment to it. Then `argsCanonical` is empty. Null for what came here. */
  readonly committed: { readonly salt: string; readonly commitment: string } | null;
  /** The same of what may run, or be told, instead; null where that is what was put. */
  readonly finalCanonical: string | null;
  /**
   * The answer's frame body to be kept, sealed, for a resend; null where the receipt itself is enough to answer again.
   * The receipt says whether there was one (`kept`).
   */
  readonly keep: string | null;
  /** The event as it was put, to be kept sealed beside the receipt (captured-event.ts); null where nothing is captured. */
  readonly capture: Capture | null;
}

export interface Capture {
  readonly text: string;
  readonly expires_ms: number;
}

/** What the daemon did to itself: recorded in the same chain. */
export interface ControlRecord {
  readonly time_ms: number;
  readonly event:
    | "started"
    | "stopped"
    | "rules_loaded"
    | "rules_refused"
    | "rule_suspended"
    | "engine_restarted"
    /** Others may decide than before, as the operators' socket first saw it. */
    | "operators_changed"
    | "approval_granted"
    /** One yes of several that are needed. */
    | "approval_voted"
    | "approval_denied"
    | "approval_revoked"
    | "approval_expired"
    | "transaction_unknown"
    | "transaction_resolved"
    /** Retention took the oldest receipts; a mark and a checkpoint stand for them. */
    | "receipts_pruned"
    /** Everything is blocked from here on, and until when it was. */
    | "stop_begun"
    | "stop_ended"
    /** Other keys are believed than before, or one is believed no more. */
    | "keys_changed"
    /** Another scope document, or fallback policy, is served than before. */
    | "scopes_changed"
    | "fallback_changed"
    /** Something of an MCP server is approved, is not as it was approved, or is quarantined. */
    | "surface_approved"
    | "surface_drifted"
    | "surface_quarantined"
    /** What a tool does is learned: what is new from here on is held. */
    | "behaviour_learned"
    /** An operator's word on a whole server. */
    | "server_trusted"
    | "server_removed"
    /** What a server did was looked at, on an operator's word. */
    | "probe_run";
  /** Digest of the rules in force after it, and before it. */
  readonly rules: string | null;
  readonly rules_before: string | null;
  /** One line, such as the rule that was suspended or the refusal's reason. */
  readonly detail: string;
}

export type AppendResult =
  | { readonly durable: true; readonly seq: number }
  | { readonly durable: false; readonly error: string };

/**
 * A decision on its way into the store: what has to be settled first, and the record that follows from how it was
 * settled. `record` may be called more than once, as a store transaction may be run again; it answers null where nothing is
 * decided yet (a duplicate that waits for the first), and then nothing is written.
 */
export interface Entry {
  readonly plan: Plan | null;
  record(settled: Settled | null): DecisionRecord | null;
}

/** `undecided`: nothing was written, and nothing may be answered but what `settled` says of whom to wait for. */
export type CommitResult =
  | { readonly outcome: "durable"; readonly seq: number; readonly settled: Settled | null }
  | { readonly outcome: "undecided"; readonly settled: Settled | null }
  | { readonly outcome: "not_durable"; readonly error: string };

/** A decision found again for a resend. */
export interface KeptDecision {
  readonly seq: number;
  readonly verdict: VerdictName;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  readonly transaction_id: string | null;
  /** The sealed answer opened; null only where none was to be kept. */
  readonly keep: string | null;
}

/**
 * What the engine needs of the ledger. On an embedded store everything answers at once, and a store transaction never
 * spans an `await`; on another, one `commit` is under way at a time.
 */
export interface Ledger {
  /** Settles plans and appends receipts; all of it is durable when it answers. One bad entry fails alone. Never throws: on a store failure every result says so. */
  commit(entries: readonly Entry[]): Maybe<readonly CommitResult[]>;
  appendControl(record: ControlRecord): Maybe<AppendResult>;
  /** False where `findDecision` would find nothing of this session: a nonce that was never seen has nothing to ask again. */
  remembersSession(session: string): boolean;
  /**
   * Was this request of this session decided within the lease? `same` holds when the arguments and every identity
   * field match the receipt (by its salt and commitment); otherwise the id was used for two questions.
   */
  findDecision(ask: ResendQuestion): Maybe<FoundDecision | null>;
  /** The newest receipt that decided this call of this session, as far back as sessions are remembered; null beyond. */
  decidedCall(session: string, call: NamedCall): number | null;
  close(): Maybe<void>;
}

/** `error` where the receipt or the store could not be read: one line. Nothing is the same that cannot be compared. */
export type FoundDecision =
  | { readonly same: true; readonly kept: KeptDecision }
  | { readonly same: false; readonly error?: string };

/** What the daemon itself needs beside: the ledger of one state directory, opened by its one writer. */
export interface OpenLedger extends Ledger {
  /** 32 hex digits. */
  readonly chain: string;
  /** Transactions, approvals and claims as they stand. */
  readonly reads: TransactionReads;
  /** What was signed of the chain. */
  readonly checkpoints: CheckpointReads;
  /** What stands in a row for arguments, under this store's key; a hash of its own for each purpose. */
  readonly keyedHash: (purpose: string) => (value: JsonValue) => string;
  /** Asked at the moment at which a call would be let run; whoever can stop everything puts his own in its place. */
  isStopped: () => boolean;
  /** Decisions that have no plan, alone. */
  append(records: readonly DecisionRecord[]): Maybe<readonly AppendResult[]>;
  /**
   * Changes rows and notes it in the chain, in one store transaction. Throws StoreFailed, and what the work throws; then
   * nothing was changed and nothing noted.
   */
  change<T>(work: (tx: StoreTx, note: (record: ControlRecord) => Steps<void>) => Steps<T>): Maybe<T>;
  /** What was sealed for this place; null where there is nothing, or it does not open. Throws StoreFailed. */
  openBox(place: string, now_ms: number): Maybe<string | null>;
  /** One receipt as it is stored; null where it is not there, or was pruned. Throws StoreFailed. */
  find(seq: number): Maybe<ReceiptRow | null>;
  /** The newest receipt; `seq` 0 before the first. Throws StoreFailed. */
  head(): Maybe<Head>;
  /** How many receipts there are, as far as this writer knows. */
  receipts(): number;
  /** Moves what is durable in the journal to the database, in one transaction. To be called now and then. Throws StoreFailed; nothing is lost. */
  settle(): Maybe<void>;
  /** Deletes kept answers whose lease is over, and returns how many. To be called now and then. Throws StoreFailed. */
  sweep(now_ms: number): Maybe<number>;
  /** The version of a rule set that was last served; null if never. Throws StoreFailed. */
  served(ruleSet: string): Maybe<ServedVersion | null>;
  /** Throws StoreFailed. */
  recordServed(ruleSet: string, served: ServedVersion): Maybe<void>;
}

/** The ledger of an embedded store: it answers at once. */
export interface EmbeddedLedger extends OpenLedger {
  commit(entries: readonly Entry[]): readonly CommitResult[];
  append(records: readonly DecisionRecord[]): readonly AppendResult[];
  appendControl(record: ControlRecord): AppendResult;
  findDecision(ask: ResendQuestion): FoundDecision | null;
  change<T>(work: (tx: StoreTx, note: (record: ControlRecord) => Steps<void>) => Steps<T>): T;
  openBox(place: string, now_ms: number): string | null;
  head(): Head;
  settle(): void;
  sweep(now_ms: number): number;
  served(ruleSet: string): ServedVersion | null;
  recordServed(ruleSet: string, served: ServedVersion): void;
  close(): void;
}

export interface ResendQuestion {
  readonly now_ms: number;
  /** A stop began then: what was allowed until that moment is judged anew. 0 where none has. */
  readonly stopped_ms: number;
  readonly session: string;
  readonly request: string;
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly span_id: string | null;
  readonly call_id: string | null;
  readonly argsCanonical: string;
}
