import type { WireObject, WireValue } from "./value.ts";
import type { Verdict } from "./verdict.ts";

/** The ninth key of an answer, sent only where `details` was negotiated. */
export interface DecisionDetails {
  /** A reason code of the daemon's catalogue, such as `rule_blocked` or `rule_overran`. */
  readonly code: string;
  readonly approval_id: string | null;
  readonly transaction_id: string | null;
  /** Per-field evidence errors. */
  readonly errors: readonly { readonly loc: string; readonly msg: string; readonly type: string }[];
  readonly replayed: boolean;
}

/** What the daemon answers to an event. */
export interface Decision {
  readonly verdict: Verdict;
  /** One line of at most 512 bytes of UTF-8; never an argument's value. */
  readonly reason: string;
  readonly policy_id: string | null;
  /** An argument's name or path (`items[2].url`); never its value. */
  readonly attributed_to: string | null;
  /** The rewritten arguments of a call; only with MODIFY and ESCALATE. */
  readonly modified_args: WireObject | null;
  /** What replaces a result; null means no replacement. Only with MODIFY. */
  readonly modified_result: WireValue;
  readonly details: DecisionDetails | null;
}
