import { expect, test } from "vitest";
import { allFeatures, featureSet } from "../../wire/features.ts";
import type { Plan } from "../transactions/plan.ts";
import { intentOf } from "../transactions/test-settling.ts";
import { type Judgement, noSignedData, noTransaction } from "./judgement.ts";
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
  ...noSignedData,
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

test("a client that cannot resume is told whom to ask: on its own yes it would run what nobody wrote down", () => {
  const intent = intentOf();
  const plan: Plan = { kind: "ask", intent, resume: null, needs: [], shapes: [], shown: "{}" };
  const gated: Judgement = {
    ...allowed,
    verdict: 3,
    code: "escalated",
    transaction: { plan, granted: allowed, wait_ms: 0 },
  };
  const pending = { kind: "pending", transaction_id: "tx_1", approval_id: "ap_1", expires_ms: 1 } as const;
  for (const features of [featureSet(["details", "replay"]), featureSet(["call_id", "details", "escalate"])]) {
    const { judged } = settledJudgement(gated, pending, features);
    expect([judged.verdict, judged.code]).toEqual([1, "approval_pending"]);
    expect(judged.reason).toContain("ap_1");
  }
  const resumes = settledJudgement(gated, pending, featureSet(["call_id", "details", "replay"]));
  expect([resumes.judged.verdict, resumes.judged.code]).toEqual([3, "escalated"]);
});
