import type { Effect } from "../contracts/contract.ts";
import type { ApprovalNeed } from "../contracts/policy.ts";
import type { ReasonCode } from "../engine/reason-codes.ts";
import type { ApprovalStatus } from "./status.ts";

/** A limit as it is stored: the counter is a keyed hash, so that no argument's value is in a row. */
export interface Reservation {
  readonly policyId: string;
  readonly reason: string;
  readonly attributedTo: string | null;
  readonly counter: string;
  readonly window_ms: number;
  readonly max: number;
  readonly amount: number;
  /** Null for a limit on a sum. Else keyed hashes of the values that this call puts on the counter, of which `max` may differ. */
  readonly members: readonly string[] | null;
}

/** A transaction before it is decided: what every plan for a call carries. Ids are made by the daemon. */
export interface Intent {
  /** `tx_` and 22 characters. */
  readonly transaction_id: string;
  /** Null where nobody will tell what became of the call: an effect that only a limit is about. */
  readonly call_id: string | null;
  readonly action: string;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  readonly effect: Effect;
  readonly now_ms: number;
  readonly lease_ms: number;
  /** Keyed hash of principal, action and final parsed arguments, hex. */
  readonly fingerprint: string;
  /** Null where the tool's repeats are not looked for. */
  readonly claim: {
    /** Keyed hash of what makes two calls the same by the contract, hex. */
    readonly key: string;
    /**
     * What a repeat has to have equal besides: by a caller's key, the keyed hash of action and final arguments (a key that
     * was used for another call is refused). By arguments or by fields, `key` again: it says all.
     */
    readonly content: string;
    readonly window_ms: number;
  } | null;
  readonly limits: readonly Reservation[];
  /** Digest of the rules that judged. */
  readonly rules: string;
  /** The transaction whose approval this one resumes, or null. */
  readonly resumed_from: string | null;
  /** Asked at the moment at which the call would be let run: has its tool, or its server, become held since it was judged? Left out for a call of no server. */
  readonly heldSince?: () => HeldSince | null;
}

/** Why a call of a server's tool is not let run after all. */
export interface HeldSince {
  readonly code: ReasonCode;
  readonly reason: string;
}

/** The approved call that a resume runs; `approval_id` was named by the client. */
export interface ResumeOf {
  readonly approval_id: string;
  readonly call_id: string;
}

/** One way in which a later call can be "this shape": the paths, and the keyed hash of principal, action and their values. */
export interface ShapeKey {
  readonly paths: readonly string[];
  readonly key: string;
}

/** What is to be written, in one store transaction, before a call's answer leaves. */
export type Plan =
  /** Every gate is satisfied. `resume`: an approval is used up all the same. */
  | { readonly kind: "authorize"; readonly intent: Intent; readonly resume: ResumeOf | null }
  /** Nothing blocked, and somebody has to say yes: a grant that fits is used, else a request is made or found. */
  | {
      readonly kind: "ask";
      readonly intent: Intent;
      readonly needs: readonly ApprovalNeed[];
      readonly shapes: readonly ShapeKey[];
      readonly resume: ResumeOf | null;
      /** The call as it will run and be shown, canonical JSON of `{action, args, principal, parent_principal, redact, server?}` (`ShownCall`). Sealed before it is stored. */
      readonly shown: string;
    }
  /** A gate denied a call that has a contract. `code`: the answer's reason code. */
  | { readonly kind: "refuse"; readonly intent: Intent; readonly code: string }
  /** A result arrived. `result`: canonical JSON of it as the result rules left it, null where they withheld it. */
  | {
      readonly kind: "close";
      readonly call_id: string;
      readonly action: string;
      readonly principal: string | null;
      readonly now_ms: number;
      readonly result: string | null;
    }
  /** The client says that the call failed, or that it did not run it. */
  | {
      readonly kind: "fail";
      readonly call_id: string;
      /** Whom the connection is bound to: a call of anybody not at or below him is not his to tell of. Null: bound to nobody. */
      readonly by: string | null;
      readonly status: "failed" | "abandoned";
      readonly error_type: string | null;
      readonly now_ms: number;
    }
  /** A client tells what it decided without the daemon. `id`: what a second telling has equal. */
  | { readonly kind: "tell"; readonly id: string; readonly now_ms: number };

/** What became of a plan. Only `authorized` lets a call run. */
export type Settled =
  /** Its tool, or its server, has become held since it was judged. */
  | ({ readonly kind: "held" } & HeldSince)
  | { readonly kind: "authorized"; readonly transaction_id: string; readonly approval_id: string | null }
  | {
      readonly kind: "pending";
      readonly transaction_id: string;
      readonly approval_id: string;
      readonly expires_ms: number;
    }
  | { readonly kind: "refused"; readonly transaction_id: string }
  /** It ran before. `result` is canonical JSON; null where it was withheld or is no longer kept. */
  | { readonly kind: "replay"; readonly transaction_id: string; readonly result: string | null }
  | { readonly kind: "in_flight"; readonly transaction_id: string; readonly lease_until_ms: number }
  | { readonly kind: "outcome_unknown"; readonly transaction_id: string }
  /** The caller's key was used for another call. */
  | { readonly kind: "key_reused"; readonly transaction_id: string }
  | {
      readonly kind: "limit_exceeded";
      readonly policyId: string;
      readonly reason: string;
      readonly attributedTo: string | null;
    }
  /** The approval that was named, or the one for this exact call, does not stand. `missing`: there is none of that id and call. */
  | {
      readonly kind: "approval_over";
      readonly approval_id: string | null;
      readonly status: Exclude<ApprovalStatus, "granted" | "pending"> | "missing" | "other_call";
    }
  /** Somebody would have to say yes to arguments that are too long to be shown. */
  | { readonly kind: "approval_too_large"; readonly transaction_id: string }
  /** Another call of the same call id is under way. */
  | { readonly kind: "call_id_in_use"; readonly transaction_id: string }
  /** Everything is stopped: between the question and this moment somebody said so. */
  | { readonly kind: "stopped" }
  /** What daemons share could not be asked (coordination/); no store says this. */
  | { readonly kind: "coordination_unavailable" }
  | { readonly kind: "closed"; readonly transaction_id: string }
  | { readonly kind: "told" }
  /** It was told before, and is recorded. */
  | { readonly kind: "told_before" }
  /** No call of that id is under way: the event is judged and closes nothing. */
  | { readonly kind: "unmatched" };
