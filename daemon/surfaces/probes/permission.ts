import type { Severity } from "../finding.ts";
import type { ObservedOutcome } from "./answer.ts";

export type ExpectedOutcome = "allowed" | "denied";

export interface PermissionVerdict {
  readonly finding_types: readonly (
    | "effective_permission_expansion"
    | "behavioral_scope_drift"
    | "permission_regression"
  )[];
  readonly severity: Severity;
  readonly decision: "allow" | "monitor" | "quarantine";
}

const verdict = (
  finding_types: PermissionVerdict["finding_types"],
  severity: Severity,
  decision: PermissionVerdict["decision"],
): PermissionVerdict => Object.freeze({ finding_types: Object.freeze(finding_types), severity, decision });

/** What was expected against what came: only a call that was let through where it had to be denied is held against the tool. */
export const judgePermission = (expected: ExpectedOutcome, outcome: ObservedOutcome): PermissionVerdict => {
  const passed = outcome === "allowed" || outcome === "accepted";
  if (!passed && outcome !== "denied") return verdict([], "none", "monitor");
  if (passed === (expected === "allowed")) return verdict([], "none", "allow");
  return passed
    ? verdict(["effective_permission_expansion", "behavioral_scope_drift"], "high", "quarantine")
    : verdict(["permission_regression"], "moderate", "monitor");
};
