import { expect, test } from "vitest";
import type { ReasonCode } from "../engine/reason-codes.ts";
import { decisionReceiptWriter } from "./decision-receipt.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { recordedGates } from "./recorded-gates.ts";
import { decision } from "./test-records.ts";

const said = (code: ReasonCode, ...trace: readonly string[]) => {
  const record = decision({ code, traceJson: JSON.stringify(trace) });
  const text = decisionReceiptWriter("a".repeat(32))(
    record,
    { seq: 1, prev: "0".repeat(64) },
    { put: `sha256:${"0".repeat(64)}`, final: null },
  );
  const receipt = parseReceipt(text);
  if (receipt?.kind !== "decision") throw new Error("not a decision");
  return recordedGates(receipt);
};

const known = ["identity:SKIP", "evidence:ALLOW;us=3", "policy/a:SHADOW_DENY", "policy:ALLOW;us=1", "rules:SKIP"];
const passing = [...known, "approval:SKIP"];
const asking = [...known, "approval:REQUIRE_APPROVAL"];
const silent = ["identity:SKIP", "rules:SKIP", "approval:SKIP"];

test.each([
  ["a call that was let through", "allowed", passing, { answer: "passed", code: "allowed" }],
  [
    "a policy that denied",
    "policy_denied",
    ["identity:SKIP", "policy:DENY;us=9"],
    { answer: "blocked", code: "policy_denied" },
  ],
  [
    "a repeat that got the earlier result",
    "replayed",
    [...passing, "settle/replay:DENY"],
    { answer: "passed", code: null },
  ],
  [
    "a call over a limit",
    "limit_exceeded",
    [...passing, "settle/limit_exceeded:DENY"],
    { answer: "passed", code: null },
  ],
  ["a call under way", "in_flight", [...passing, "settle/in_flight:DENY"], { answer: "passed", code: null }],
  ["a call that had a grant", "allowed", [...asking, "settle/authorized:ALLOW"], { answer: "asked", code: null }],
  [
    "a call that waits for one",
    "escalated_operator",
    [...asking, "settle/pending:REQUIRE_APPROVAL"],
    { answer: "asked", code: "escalated_operator" },
  ],
  ["a call that nobody knew, allowed", "unknown_allowed", silent, { answer: "passed", code: "unknown_allowed" }],
  ["a call that nobody knew, asked about", "unknown_escalated", silent, { answer: "asked", code: "unknown_escalated" }],
  ["a call that nobody knew, blocked", "unknown_blocked", silent, { answer: "blocked", code: "unknown_blocked" }],
] as const)("%s", (_name, code, trace, expected) => {
  expect(said(code, ...trace)).toEqual(expected);
});

test.each([
  ["no gate judged it", "engine_stalled", []],
  [
    "nothing spoke, and what was settled hides what `unknown` said",
    "limit_exceeded",
    [...silent, "settle/limit_exceeded:DENY"],
  ],
  ["its client could not be told", "rewrite_removes_key", ["identity:SKIP", "rules:DENY"]],
  ["a scope document denied it", "scope_unknown", ["identity:SKIP", "scope:DENY;us=3"]],
  [
    "a scope document asked a person",
    "escalated_operator",
    ["identity:SKIP", "scope:REQUIRE_APPROVAL;us=3", "approval:REQUIRE_APPROVAL"],
  ],
  ["its rule was suspended", "rule_suspended", ["identity:SKIP", "rules:DENY"]],
] as const)("a receipt does not tell what the gates said where %s", (_name, code, trace) => {
  expect(said(code, ...trace)).toBeNull();
});
