import type { Severity } from "../finding.ts";
import { changedIn, type StateLeaves, stateHash, volatileIn } from "./state-mask.ts";

/** `no_change`: the target is said to do nothing. `change_allowed`: it is said to change what is read back. */
export type ExpectedEffect = "no_change" | "change_allowed";

export interface ReadbackVerdict {
  readonly finding_types: readonly (
    | "readback_state_changed_after_no_effect_expected"
    | "silent_side_effect_drift"
    | "effect_response_contradicted_by_readback"
    | "expected_provider_change_missing"
  )[];
  readonly severity: Severity;
  readonly decision: "allow" | "monitor" | "quarantine";
}

/** What was read, without a value of it. */
export interface Readback {
  /** Two reads before the call with nothing between them, so that what moves by itself is known; and one after. */
  readonly idle: readonly [StateLeaves, StateLeaves];
  readonly after: StateLeaves;
  /** JSON Pointers that an operator declared volatile; what is below them is, too. */
  readonly declared: ReadonlySet<string>;
}

export interface StateChange {
  /** How many places changed, without those that are masked. */
  readonly changed: number;
  /** `sha256:<hex>` of what is not masked. */
  readonly before: string;
  readonly after: string;
}

export const stateChange = ({ idle, after, declared }: Readback): StateChange => {
  const masked = new Set([...declared, ...volatileIn(idle[0], idle[1])]);
  const changed = changedIn(idle[1], after, masked).size;
  return Object.freeze({ changed, before: stateHash(idle[1], masked), after: stateHash(after, masked) });
};

/** @param claimsNoEffect did the target's answer say that it did nothing? */
export const judgeReadback = (expected: ExpectedEffect, changed: number, claimsNoEffect: boolean): ReadbackVerdict => {
  if (expected === "no_change" && changed > 0) {
    return {
      finding_types: [
        "readback_state_changed_after_no_effect_expected",
        "silent_side_effect_drift",
        ...(claimsNoEffect ? (["effect_response_contradicted_by_readback"] as const) : []),
      ],
      severity: "critical",
      decision: "quarantine",
    };
  }
  return expected === "change_allowed" && changed === 0
    ? { finding_types: ["expected_provider_change_missing"], severity: "moderate", decision: "monitor" }
    : { finding_types: [], severity: "none", decision: "allow" };
};
