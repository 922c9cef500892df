import type { Phase } from "../../wire/event.ts";
import type { VerdictName } from "../../wire/verdict.ts";
import type { ReasonCode } from "../engine/reason-codes.ts";
import type { PrincipalSource } from "../identity/acting.ts";
import type { ControlRecord } from "./record.ts";

interface Linked {
  readonly v: 1;
  readonly seq: number;
  readonly chain: string;
  readonly prev: string;
  readonly time_ms: number;
  readonly rules: string | null;
}

export interface DecisionReceipt extends Linked {
  readonly kind: "decision";
  readonly transaction_id: string | null;
  readonly call_id: string | null;
  readonly action: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly principal_source: PrincipalSource;
  readonly parent_principal: string | null;
  readonly span_id: string | null;
  readonly session: string | null;
  readonly request: string;
  readonly args_commitment: string;
  readonly verdict: VerdictName;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  /** The answer held more than this receipt, and was to be kept beside it for a resend. */
  readonly kept: boolean;
  readonly rules: string;
  readonly trace: readonly string[];
}

export interface ControlReceipt extends Linked {
  readonly kind: "control";
  readonly event: ControlRecord["event"];
  readonly rules_before: string | null;
  readonly detail: string;
}

export type Receipt = DecisionReceipt | ControlReceipt;

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string";
const textOrNull: Check = (value) => value === null || typeof value === "string";
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const commitment = matching(/^sha256:[0-9a-f]{64}$/);
const integer: Check = (value) => Number.isSafeInteger(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);

const linked = {
  chain: matching(/^[0-9a-f]{32}$/),
  prev: matching(/^[0-9a-f]{64}$/),
  seq: (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0,
  time_ms: integer,
  v: oneOf(1),
};

/** Exactly these keys, in RFC 8785 order. A code or an event of a later release is text here: it is no reason to distrust a chain. */
const sorted = (checks: Record<string, Check>): readonly (readonly [string, Check])[] =>
  Object.freeze(Object.entries(checks).sort(([a], [b]) => (a < b ? -1 : 1)));

const decisionKeys = sorted({
  ...linked,
  action: text,
  args_commitment: commitment,
  attributed_to: textOrNull,
  call_id: textOrNull,
  code: text,
  kept: oneOf(true, false),
  kind: oneOf("decision"),
  parent_principal: textOrNull,
  phase: oneOf("call", "result"),
  policy_id: textOrNull,
  principal: textOrNull,
  principal_source: oneOf("claimed", "configured", "token"),
  reason: text,
  request: text,
  rules: text,
  session: textOrNull,
  span_id: textOrNull,
  trace: texts,
  transaction_id: textOrNull,
  verdict: oneOf("ALLOW", "BLOCK", "MODIFY", "ESCALATE"),
});

const controlKeys = sorted({
  ...linked,
  detail: text,
  event: text,
  kind: oneOf("control"),
  rules: textOrNull,
  rules_before: textOrNull,
});

/**
 * A receipt of its text, or null. Only the exact text is taken that this release writes: its keys, no other, in order,
 * once each, and no space. Then two readers can never disagree about what a hashed text says.
 */
export const parseReceipt = (receipt: string): Receipt | null => {
  let value: unknown;
  try {
    value = JSON.parse(receipt);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || JSON.stringify(value) !== receipt) return null;
  const fields = value as Record<string, unknown>;
  const expected = fields.kind === "decision" ? decisionKeys : controlKeys;
  const keys = Object.keys(fields);
  if (keys.length !== expected.length) return null;
  for (const [index, [key, check]] of expected.entries()) {
    if (keys[index] !== key || !check(fields[key])) return null;
  }
  return value as Receipt;
};
