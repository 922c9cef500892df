import type { Phase } from "../../wire/event.ts";
import type { VerdictName } from "../../wire/verdict.ts";
import type { ReasonCode } from "../engine/reason-codes.ts";
import type { Head, ServedVersion } from "../store/store.ts";

/** One decision as the engine made it: what the ledger turns into a receipt. Nothing here is an argument's value but `argsCanonical`. */
export interface DecisionRecord {
  readonly time_ms: number;
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  /** How `principal` is known: the event's word, or a token bound to the connection. */
  readonly principal_source: "claimed" | "token";
  readonly parent_principal: string | null;
  readonly span_id: string | null;
  readonly call_id: string | null;
  /** Which client session asked: hex of the first 16 bytes of SHA-256 of its nonce; null without `resend`. */
  readonly session: string | null;
  /** The request's id on the wire. */
  readonly request: string;
  readonly verdict: VerdictName;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  /** Digest of the rules that judged, `sha256:<hex>`. */
  readonly rules: string;
  /** Canonical JSON text of the trace: an array of `"<gate>[/<rule>]:<ANSWER>"`. */
  readonly traceJson: string;
  /** JCS text of the arguments as they were put; the receipt holds a salted commitment to it, never the text. */
  readonly argsCanonical: string;
  /**
   * The answer's frame body to be kept, sealed, for a resend; null where the receipt itself is enough to answer again.
   * The receipt says whether there was one (`kept`).
   */
  readonly keep: string | null;
}

/** What the daemon did to itself: recorded in the same chain. */
export interface ControlRecord {
  readonly time_ms: number;
  readonly event: "started" | "stopped" | "rules_loaded" | "rules_refused" | "rule_suspended" | "engine_restarted";
  /** Digest of the rules in force after it, and before it. */
  readonly rules: string | null;
  readonly rules_before: string | null;
  /** One line, such as the rule that was suspended or the refusal's reason. */
  readonly detail: string;
}

export type AppendResult =
  | { readonly durable: true; readonly seq: number }
  | { readonly durable: false; readonly error: string };

/** A decision found again for a resend. */
export interface KeptDecision {
  readonly seq: number;
  readonly verdict: VerdictName;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  /** The sealed answer opened; null only where none was to be kept. */
  readonly keep: string | null;
}

/** What the engine needs of the ledger. Every method is synchronous: a store transaction never spans an `await`. */
export interface Ledger {
  /** Appends all and makes them durable before it returns. One bad row fails alone. On a store failure every result says so and the head stays where it was. */
  append(records: readonly DecisionRecord[]): readonly AppendResult[];
  appendControl(record: ControlRecord): AppendResult;
  /** False where `findDecision` would find nothing of this session: a nonce that was never seen has nothing to ask again. */
  remembersSession(session: string): boolean;
  /**
   * Was this request of this session decided within the lease? `same` holds when the arguments and every identity
   * field match the receipt (by its salt and commitment); otherwise the id was used for two questions.
   */
  findDecision(ask: ResendQuestion): FoundDecision | null;
  close(): void;
}

/** `error` where the receipt or the store could not be read: one line. Nothing is the same that cannot be compared. */
export type FoundDecision =
  | { readonly same: true; readonly kept: KeptDecision }
  | { readonly same: false; readonly error?: string };

/** What the daemon itself needs beside: the ledger of one state directory, opened by its one writer. */
export interface OpenLedger extends Ledger {
  /** 32 hex digits. */
  readonly chain: string;
  /** The newest receipt; `seq` 0 before the first. Throws StoreFailed. */
  head(): Head;
  /** Moves what is durable in the journal to the database, in one transaction. To be called now and then. Throws StoreFailed; nothing is lost. */
  settle(): void;
  /** Deletes kept answers whose lease is over, and returns how many. To be called now and then. Throws StoreFailed. */
  sweep(now_ms: number): number;
  /** The version of a rule set that was last served; null if never. Throws StoreFailed. */
  served(ruleSet: string): ServedVersion | null;
  /** Throws StoreFailed. */
  recordServed(ruleSet: string, served: ServedVersion): void;
}

export interface ResendQuestion {
  readonly now_ms: number;
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
