import { expect, test } from "vitest";
import { commitmentsOf } from "../commitments.ts";
import { decisionReceiptWriter } from "../decision-receipt.ts";
import { zeroHash } from "../hash.ts";
import { type DecisionReceipt, parseReceipt } from "../parse-receipt.ts";
import type { DecisionRecord } from "../record.ts";
import { decision } from "../test-records.ts";
import { claimsOf } from "./claims.ts";
import { LaterCallsCount } from "./later-calls.ts";

const receiptOf = (changes: Partial<DecisionRecord>, seq = 1): DecisionReceipt => {
  const record = decision(changes);
  const commitments = commitmentsOf(record, { salt: "0".repeat(32), final_salt: null });
  const receipt = parseReceipt(decisionReceiptWriter("a".repeat(32))(record, { seq, prev: zeroHash }, commitments));
  if (receipt?.kind !== "decision") throw new Error("not a decision");
  return receipt;
};

const countOf = (...later: readonly Partial<DecisionRecord>[]) => {
  const count = new LaterCallsCount(decision());
  for (const [at, changes] of later.entries()) count.take(receiptOf(changes, at + 2));
  return count.report();
};

const blocked = { verdict: "BLOCK", code: "rule_blocked" } as const;

test("only what has the same action and the same principal counts", () => {
  expect(countOf({ action: "pay" }, { principal: "agent-8" }, { principal: null }, {})).toEqual({
    executed: { let_run: 1, reported: 0 },
    blocked_attempts: 0,
    other: 0,
    first: 5,
    last: 5,
  });
  expect(countOf()).toMatchObject({ first: null, last: null });
});

test.each<[string, Partial<DecisionRecord>, string]>([
  ["an allowed call", {}, "let_run"],
  ["a rewritten call", { verdict: "MODIFY", code: "rewritten" }, "let_run"],
  ["a call that was refused a client which only monitors", { ...blocked, grade: "async/monitor" }, "let_run"],
  ["a call that was decided offline", { offline: { at_ms: 1, policy: "p@1" } }, "let_run"],
  ["a refused call", blocked, "blocked_attempts"],
  ["a refused call of a client that did not say how it intercepts", { ...blocked, grade: null }, "blocked_attempts"],
  ["a call that was refused offline", { ...blocked, offline: { at_ms: 1, policy: "p@1" } }, "blocked_attempts"],
  ["a result", { phase: "result" }, "reported"],
  ["a redacted result", { phase: "result", verdict: "MODIFY", code: "rewritten" }, "reported"],
  ["a withheld result", { phase: "result", ...blocked }, "reported"],
  ["a call that waits for a yes", { verdict: "ESCALATE", code: "escalated_operator" }, "other"],
  ["a repeat that was answered with its result", { verdict: "BLOCK", code: "replayed" }, "other"],
  ["a repeat of a call under way", { verdict: "BLOCK", code: "in_flight" }, "other"],
])("%s is counted as what it is", (_name, changes, kind) => {
  const { executed, blocked_attempts, other } = countOf(changes);
  const counts = { ...executed, blocked_attempts, other };
  expect(counts).toEqual({ let_run: 0, reported: 0, blocked_attempts: 0, other: 0, [kind]: 1 });
});

test.each([
  ['["identity:SKIP","rules:SKIP","approval:SKIP"]', "ALLOW", "nobody_was_asked"],
  ['["approval:REQUIRE_APPROVAL","settle/pending:REQUIRE_APPROVAL"]', "ESCALATE", "asked"],
  ['["approval:REQUIRE_APPROVAL;us=7","settle/authorized:ALLOW"]', "ALLOW", "given"],
  ['["approval:REQUIRE_APPROVAL","settle/approval_over:DENY"]', "BLOCK", "not_given"],
  ['["identity:SKIP","rules:DENY"]', "BLOCK", "not_reached"],
  ["[]", "ALLOW", "not_said"],
] as const)("of the trace %s of a call that was answered %s the yes is: %s", (traceJson, verdict, approved) => {
  const receipt = receiptOf({ traceJson, verdict });
  expect(claimsOf(receipt, countOf()).approved).toBe(approved);
});

test("a refused call is claimed as refused, and what ran after it is told beside", () => {
  const claims = claimsOf(receiptOf({ ...blocked, reason: "no" }), countOf({ phase: "result" }));
  expect(claims.decided).toMatchObject({ verdict: "BLOCK", code: "rule_blocked", reason: "no" });
  expect(claims.executed_after).toMatchObject({ ran: true, executed: { let_run: 0, reported: 1 } });
  expect(claims.observed).toBeNull();
});
