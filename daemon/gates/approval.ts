import type { Phase } from "../../wire/event.ts";
import type { Denial, Escalation } from "../engine/judgement.ts";

export type ApprovalAnswer =
  | { readonly answer: "SKIP" }
  | { readonly answer: "REQUIRE_APPROVAL"; readonly escalation: Escalation }
  | { readonly answer: "DENY"; readonly denial: Denial };

const skip: ApprovalAnswer = Object.freeze({ answer: "SKIP" });

/**
 * Asked last, when nothing blocked: a person is asked only about calls that nothing refused. An operator's yes is the
 * stricter one, so it is what is asked for when any rule asks for it. A result's effects already stand: there is
 * nothing left to approve, so an escalated result is blocked.
 */
export const approvalGate = (phase: Phase, escalations: readonly Escalation[]): ApprovalAnswer => {
  const first = escalations.find(({ by }) => by === "operator") ?? escalations[0];
  if (first === undefined) return skip;
  if (phase === "result") {
    const { reason, policyId, attributedTo } = first;
    return { answer: "DENY", denial: { code: "result_escalated", reason, policyId, attributedTo } };
  }
  return { answer: "REQUIRE_APPROVAL", escalation: first };
};
