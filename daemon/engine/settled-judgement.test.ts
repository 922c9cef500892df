import { expect, test } from "vitest";
import { allFeatures } from "../../wire/features.ts";
import type { Plan } from "../transactions/plan.ts";
import { intentOf } from "../transactions/test-settling.ts";
import { type Judgement, noTransaction } from "./judgement.ts";
import { settledJudgement } from "./settled-judgement.ts";

const allowed: Judgement = {
  verdict: 0,
  code: "allowed",
  reason: "",
  policy_id: null,
  attributed_to: null,
  modified_args: null,
  modified_result: null,
  traceJson: "[]",
  ...noTransaction,
};

test("a resume that waits says so, where the rules ask for nobody's yes any more too", () => {
  const intent = intentOf();
  const resume = { approval_id: "ap_1", call_id: "call-1" };
  const ask: Plan = { kind: "ask", intent, resume, needs: [], shapes: [], shown: "{}" };
  for (const plan of [ask, { kind: "authorize", intent, resume } satisfies Plan]) {
    const gated: Judgement = { ...allowed, transaction: { plan, granted: allowed, wait_ms: 0 } };
    const pending = { kind: "pending", transaction_id: "tx_1", approval_id: "ap_1", expires_ms: 1 } as const;
    const { judged } = settledJudgement(gated, pending, allFeatures);
    expect([judged.verdict, judged.code]).toEqual([3, "approval_pending"]);
  }
});
