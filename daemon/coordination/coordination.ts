import type { Maybe } from "../store/steps.ts";
import type { Intent, Settled } from "../transactions/plan.ts";

/**
 * What makes claims and limits hold across daemons. Around the store transaction that settles a call:
 *
 *     enter    before it: takes the claim and reserves the limits, all or none
 *     leave    after it: gives back what a call had taken that is not authorized after all
 *     closed   once the call's outcome is durable
 *
 * A call that entered may run only if the store says `authorized` too: the store decides, this narrows who may ask it.
 */
export interface Coordination {
  /**
   * Takes what the call needs. Never throws, never rejects: what cannot be known is `unavailable`, and the call is
   * blocked. Answers at once where nothing is shared, or the call needs nothing.
   */
  enter(intent: Intent): Maybe<Entry>;
  /** To be called once after every `entered`, also when the store failed (`null`). Never throws; what it gives back is given back later where that fails now. */
  leave(ticket: Ticket, settled: Settled | null): void;
  /** Tells the others what became of an authorized call. To be called after it is durable. Never throws; told later where that fails now. */
  closed(transaction_id: string, outcome: Outcome): void;
  /**
   * Notes a single-use token, by its digest, for `keep_ms`: true where no daemon noted it before. Null where nobody can say. Never
   * throws, never rejects.
   */
  noteToken(digest: string, keep_ms: number): Maybe<boolean | null>;
  /**
   * @param listener is called with the transaction of another daemon (or this one) whose claim has ended, and with null
   * where news may have been lost: whoever waits looks again.
   */
  onEnded(listener: (transaction_id: string | null) => void): void;
  /**
   * What this daemon held when it was killed: a transaction that its store does not know was never authorized, and is
   * given back; the others are told of. To be called once, before the first call. Rejects with StoreFailed.
   */
  recover(outcomeOf: (transaction_id: string) => Maybe<Outcome | "authorized" | null>): Maybe<void>;
  /** Tells what is still to be told, as far as that is quick, and hangs up. */
  close(): Maybe<void>;
}

/** What a call holds between `enter` and `leave`. */
export interface Ticket {
  readonly transaction_id: string;
  readonly claim_key: string | null;
}

export type Entry =
  | { readonly kind: "entered"; readonly ticket: Ticket }
  /** Another daemon has it, or had it. As the store would have answered. */
  | { readonly kind: "refused"; readonly settled: CoordinationRefusal }
  /** Nobody can say: `coordination_unavailable`. */
  | { readonly kind: "unavailable" };

export type CoordinationRefusal = Extract<
  Settled,
  { readonly kind: "replay" | "in_flight" | "outcome_unknown" | "key_reused" | "limit_exceeded" }
>;

/** What became of a call that was authorized. */
export type Outcome =
  /** `result`: canonical JSON as the result rules left it; null where they withheld it. */
  | { readonly kind: "executed"; readonly result: string | null }
  /** It failed or was abandoned: nothing is held any more. */
  | { readonly kind: "released" }
  /** Nobody knows whether it ran. */
  | { readonly kind: "unknown" };
