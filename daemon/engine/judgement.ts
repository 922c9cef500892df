import type { SensorEvent } from "../../wire/event.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import type { Verdict } from "../../wire/verdict.ts";
import type { FieldError } from "../contracts/contract.ts";
import type { CallSurface } from "../gates/quarantine.ts";
import type { PrincipalSource } from "../identity/acting.ts";
import type { Plan, ResumeOf } from "../transactions/plan.ts";
import type { ReasonCode } from "./reason-codes.ts";

/** What is put to the engine: one event, the clock, and what its client can apply. Frozen by whoever makes it. */
export interface Question {
  readonly event: SensorEvent;
  readonly now_ms: number;
  /** How its principal is known. */
  readonly source: PrincipalSource;
  /** Whom its connection is bound to, by a token or by the configuration; null where nobody is. */
  readonly identity: string | null;
  /** Negotiated `replace_args`: only then can a rewrite take an argument away. */
  readonly canReplaceArgs: boolean;
  /** The approval that this call resumes; null for a call that is put for itself. */
  readonly resume: ResumeOf | null;
  /** The MCP server whose tool is called; null for a call of none. */
  readonly surface: CallSurface | null;
  /** What its tool did so far; null for a call of no server's tool, and where nobody looks. */
  readonly behaviour: WatchedBehaviour | null;
  /** Tells the watchdog that the rules which run next are about this question (supervisor/slot.ts). */
  readonly stamp: () => void;
}

/** What the engine answers: the decision's content, why, and what every gate and rule said. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  readonly modified_args: WireObject | null;
  readonly modified_result: WireValue;
  /** Canonical JSON text: an array of `"<gate>[/<rule>]:<ANSWER>"`. */
  readonly traceJson: string;
  /** `<set>@<version>/<tool>` of the contract that the call has; null where it has none. */
  readonly contract: string | null;
  /** `<set>@<version>` of each set whose policies were looked at. The same list for the same sets. */
  readonly policies: readonly string[];
  /** `<id>@<version>` of the scope document that was looked at; null where none was. */
  readonly scope: string | null;
  /** `sha256:<hex>` of the approved surface that the call was held against; null where none was. */
  readonly surface: string | null;
  /** The fields that do not satisfy the contract; empty where the evidence gate did not deny. */
  readonly errors: readonly FieldError[];
  /** What is to be settled before this is the answer; null for a call that has no contract and needs nobody's yes. */
  readonly transaction: JudgedTransaction | null;
}

/** What a judgement becomes where its plan is settled as authorized. */
export type Granted = Pick<Judgement, "verdict" | "code" | "reason" | "policy_id" | "attributed_to">;

export interface JudgedTransaction {
  readonly plan: Plan;
  readonly granted: Granted;
  /** How long the call may wait for the first of its kind. */
  readonly wait_ms: number;
}

/** What a judgement of a call without a transaction has of these. */
export const noTransaction: Pick<Judgement, "errors" | "transaction"> = Object.freeze({
  errors: Object.freeze([]),
  transaction: null,
});

/** What a judgement by rules alone, or by nothing, has of these. */
export const noSignedData: Pick<Judgement, "contract" | "policies" | "scope" | "surface"> = Object.freeze({
  contract: null,
  policies: Object.freeze([]),
  scope: null,
  surface: null,
});

/** A gate's answer. SKIP is "nothing to say"; ALLOW is a claim that somebody looked and is satisfied. */
export type GateAnswer = "ALLOW" | "DENY" | "REQUIRE_APPROVAL" | "SKIP";

/** The one cause of a blocked call. */
export interface Denial {
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policyId: string | null;
  readonly attributedTo: string | null;
  readonly errors?: readonly FieldError[];
}

/** What a tool does, held against what it did: of a call on the arguments that would run, of a result on what would be delivered. */
export interface WatchedBehaviour {
  watch(value: WireObject): Watched;
}

export interface Watched {
  readonly denial: Denial | null;
  /** For the trace, in order. */
  readonly said: readonly (readonly [name: string, answer: GateAnswer | "SHADOW_DENY"])[];
}

/** A request for a human's yes, as a rule or a policy made it. */
export interface Escalation {
  readonly reason: string;
  readonly policyId: string | null;
  readonly attributedTo: string | null;
  readonly by: "client" | "operator";
}
