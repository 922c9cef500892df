import type { ControlRecord, DecisionRecord, ResendQuestion } from "./record.ts";

/** For tests. */
export const start_ms = 1_760_000_000_000;
export const sessionOf = (digit: string): string => digit.repeat(32);

export const decision = (changes: Partial<DecisionRecord> = {}): DecisionRecord => ({
  time_ms: start_ms,
  action: "refund",
  phase: "call",
  principal: "agent-7",
  principal_source: "claimed",
  identity: null,
  client: "interlock-guard/1.0.0 node/22.1.0",
  grade: "async/enforce",
  offline: null,
  parent_principal: null,
  span_id: null,
  call_id: "c-1",
  transaction_id: null,
  session: sessionOf("a"),
  request: "r-1",
  verdict: "ALLOW",
  code: "allowed",
  reason: "every rule is satisfied",
  policy_id: "refunds.owner",
  attributed_to: null,
  rules: `sha256:${"b".repeat(64)}`,
  rules_version: 42,
  contract: null,
  policies: [],
  scope: null,
  surface: null,
  decided: null,
  traceJson: '["identity:SKIP","rules/refunds.owner:ALLOW"]',
  argsCanonical: '{"amount":100,"order_id":"ORD-1"}',
  committed: null,
  finalCanonical: null,
  keep: null,
  capture: null,
  ...changes,
});

export const control = (changes: Partial<ControlRecord> = {}): ControlRecord => ({
  time_ms: start_ms,
  event: "started",
  rules: `sha256:${"b".repeat(64)}`,
  rules_before: null,
  detail: "2 rule sets",
  ...changes,
});

export const question = (record: DecisionRecord, changes: Partial<ResendQuestion> = {}): ResendQuestion => ({
  now_ms: record.time_ms,
  stopped_ms: 0,
  session: record.session ?? "",
  request: record.request,
  action: record.action,
  phase: record.phase,
  principal: record.principal,
  parent_principal: record.parent_principal,
  span_id: record.span_id,
  call_id: record.call_id,
  argsCanonical: record.argsCanonical,
  ...changes,
});
