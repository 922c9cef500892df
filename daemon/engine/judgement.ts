import type { SensorEvent } from "../../wire/event.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import type { Verdict } from "../../wire/verdict.ts";
import type { ReasonCode } from "./reason-codes.ts";

/** What is put to the engine: one event, the clock, and what its client can apply. Frozen by whoever makes it. */
export interface Question {
  readonly event: SensorEvent;
  readonly now_ms: number;
  /** Negotiated `replace_args`: only then can a rewrite take an argument away. */
  readonly canReplaceArgs: boolean;
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
}

/** A gate's answer. SKIP is "nothing to say"; ALLOW is a claim that somebody looked and is satisfied. */
export type GateAnswer = "ALLOW" | "DENY" | "REQUIRE_APPROVAL" | "SKIP";

/** The one cause of a blocked call. */
export interface Denial {
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policyId: string | null;
  readonly attributedTo: string | null;
}

/** A request for a human's yes, as a rule or a policy made it. */
export interface Escalation {
  readonly reason: string;
  readonly policyId: string | null;
  readonly attributedTo: string | null;
  readonly by: "client" | "operator";
}
