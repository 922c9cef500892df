import { block, escalate, type Rule, rewrite } from "interlock/rules";

/** Escalation: what reaches a person, and what beats it. */
export const humanRules: readonly Rule[] = [
  {
    id: "conformance.escalate",
    actions: ["wire_money"],
    phase: "call",
    evaluate: () => escalate("a person must agree", { policyId: "p.escalate", attributedTo: "amount" }),
    examples: [{ event: { action: "wire_money", args: { amount: 1 } }, expect: "escalate" }],
  },
  {
    id: "conformance.escalate-operator",
    actions: ["close_account"],
    phase: "call",
    evaluate: () => escalate("an operator must agree", { policyId: "p.escalate-operator", by: "operator" }),
    examples: [{ event: { action: "close_account", args: {} }, expect: "escalate" }],
  },
  {
    id: "conformance.escalate-before-block",
    actions: ["escalate_then_block"],
    phase: "call",
    evaluate: () => escalate("a person must agree", { policyId: "p.escalate" }),
    examples: [{ event: { action: "escalate_then_block", args: {} }, expect: "escalate" }],
  },
  {
    id: "conformance.block-after-escalate",
    actions: ["escalate_then_block"],
    phase: "call",
    evaluate: () => block("never allowed", { policyId: "p.block-wins" }),
    examples: [{ event: { action: "escalate_then_block", args: {} }, expect: "block" }],
  },
  {
    id: "conformance.rewrite-and-escalate",
    actions: ["rewrite_and_escalate"],
    phase: "call",
    evaluate: ({ args }) =>
      typeof args.amount === "number" && args.amount > 100
        ? rewrite({ amount: 100 }, { reason: "amount capped", policyId: "p.cap", attributedTo: "amount" })
        : undefined,
    examples: [
      {
        event: { action: "rewrite_and_escalate", args: { amount: 500 } },
        expect: "rewrite",
        becomes: { amount: 100 },
      },
      { event: { action: "rewrite_and_escalate", args: { amount: 5 } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.escalate-the-rewritten",
    actions: ["rewrite_and_escalate"],
    phase: "call",
    evaluate: () => escalate("a person must agree", { policyId: "p.escalate-capped" }),
    examples: [{ event: { action: "rewrite_and_escalate", args: { amount: 100 } }, expect: "escalate" }],
  },
  {
    id: "conformance.escalate-result",
    actions: ["escalate_result"],
    phase: "result",
    // Types refuse this answer on a result; a rule written without them can still give it.
    evaluate: ({ args }) =>
      args.armed === true ? escalate("a person must agree", { policyId: "p.escalate-result" }) : undefined,
    examples: [{ event: { action: "escalate_result", args: { armed: false }, phase: "result" }, expect: "silent" }],
  },
];
