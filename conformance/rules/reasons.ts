import { type BlockAnswer, block, type Rule } from "interlock/rules";

/** A block as a rule may return it without the SDK's `block`, which refuses a long reason or one of many lines. */
const unchecked = (reason: string, policyId: string): BlockAnswer => ({
  kind: "block",
  reason,
  policyId,
  attributedTo: null,
});

/** Counts what this set decided since it was loaded: a question that is decided twice shows. */
let decisions = 0;

/** What a reason may not do: run long, run over lines, carry a value. And a decision that can be told from the next. */
export const reasonRules: readonly Rule[] = [
  {
    id: "conformance.long-reason",
    actions: ["long_reason"],
    phase: "call",
    // Three bytes a character, so that a cut by bytes falls inside one.
    evaluate: () => unchecked(`start ${"€".repeat(400)}`, "p.long-reason"),
    examples: [{ event: { action: "long_reason", args: {} }, expect: "block" }],
  },
  {
    id: "conformance.many-lines",
    actions: ["many_lines"],
    phase: "call",
    evaluate: () => unchecked('one\ntwo\r\nthree\u2028four\u202efive {"verdict":0}', "p.many-lines"),
    examples: [{ event: { action: "many_lines", args: {} }, expect: "block" }],
  },
  {
    id: "conformance.quoting-reason",
    actions: ["quoting_reason"],
    phase: "call",
    evaluate: ({ args }) => block(`token ${String(args.token)} is not known`, { policyId: "p.quoting" }),
    examples: [{ event: { action: "quoting_reason", args: { token: "none" } }, expect: "block" }],
  },
  {
    id: "conformance.quoting-attribution",
    actions: ["quoting_attribution"],
    phase: "call",
    evaluate: ({ args }) =>
      block("token is not known", { policyId: "p.quoting", attributedTo: `token ${String(args.token)}` }),
    examples: [{ event: { action: "quoting_attribution", args: { token: "none" } }, expect: "block" }],
  },
  {
    id: "conformance.count",
    actions: ["count"],
    phase: "call",
    evaluate: () => {
      decisions += 1;
      return block(`decision ${decisions}`, { policyId: "p.count" });
    },
    examples: [{ event: { action: "count", args: {} }, expect: "block" }],
  },
];
