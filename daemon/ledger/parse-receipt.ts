import type { Phase } from "../../wire/event.ts";
import { type Grade, isGrade } from "../../wire/grade.ts";
import type { VerdictName } from "../../wire/verdict.ts";
import type { ReasonCode } from "../engine/reason-codes.ts";
import type { PrincipalSource } from "../identity/acting.ts";
import type { ControlRecord, OfflineDecision } from "./record.ts";

interface Linked {
  readonly seq: number;
  readonly chain: string;
  readonly prev: string;
  readonly time_ms: number;
  readonly rules: string | null;
}

/** What decision receipts of both versions say. */
interface Decided extends Linked {
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

/** As releases before this one wrote it. A result's response stands in `args_commitment`. */
export interface DecisionReceipt1 extends Decided {
  readonly v: 1;
  readonly args_commitment: string;
}

/** As this release writes it (record.ts says what each field is). */
export interface DecisionReceipt2 extends Decided {
  readonly v: 2;
  /** Of a call; null in a result. */
  readonly args_commitment: string | null;
  /** Of a result, or of an outcome; null in a call. */
  readonly response_commitment: string | null;
  /** What may run, or be told, instead of what was put; null where that is what was put. */
  readonly final_commitment: string | null;
  readonly client: string | null;
  readonly contract: string | null;
  readonly decided: number | null;
  readonly grade: Grade | null;
  readonly identity: string | null;
  readonly offline: OfflineDecision | null;
  readonly policies: readonly string[];
  readonly rules_version: number;
  readonly scope: string | null;
  readonly surface: string | null;
}

export type DecisionReceipt = DecisionReceipt1 | DecisionReceipt2;

export interface ControlReceipt extends Linked {
  readonly v: 1;
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
const commitmentOrNull: Check = (value) => value === null || commitment(value);
const integer: Check = (value) => Number.isSafeInteger(value);
const place: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const placeOrNull: Check = (value) => value === null || place(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);

const linked = {
  chain: matching(/^[0-9a-f]{32}$/),
  prev: matching(/^[0-9a-f]{64}$/),
  seq: place,
  time_ms: integer,
};

/** Exactly these keys, in RFC 8785 order. A code or an event of a later release is text here: it is no reason to distrust a chain. */
const sorted = (checks: Record<string, Check>): readonly (readonly [string, Check])[] =>
  Object.freeze(Object.entries(checks).sort(([a], [b]) => (a < b ? -1 : 1)));

const decided = {
  ...linked,
  action: text,
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
};

const decisionKeys1 = sorted({ ...decided, args_commitment: commitment, v: oneOf(1) });

const offline: Check = (value) => {
  if (value === null) return true;
  if (typeof value !== "object" || Object.keys(value).join() !== "at_ms,policy") return false;
  const { at_ms, policy } = value as Record<string, unknown>;
  return integer(at_ms) && text(policy);
};

const decisionKeys2 = sorted({
  ...decided,
  args_commitment: commitmentOrNull,
  client: textOrNull,
  contract: textOrNull,
  decided: placeOrNull,
  final_commitment: commitmentOrNull,
  grade: (value) => value === null || isGrade(value),
  identity: textOrNull,
  offline,
  policies: texts,
  response_commitment: commitmentOrNull,
  rules_version: integer,
  scope: textOrNull,
  surface: textOrNull,
  v: oneOf(2),
});

const controlKeys = sorted({
  ...linked,
  v: oneOf(1),
  detail: text,
  event: text,
  kind: oneOf("control"),
  rules: textOrNull,
  rules_before: textOrNull,
});

/**
 * A receipt of its text, or null. Only the exact text is taken that this release writes, or that an older one wrote: its
 * keys, no other, in order, once each, and no space. Then two readers can never disagree about what a hashed text says.
 */
export const parseReceipt = (receipt: string): Receipt | null => {
  let value: unknown;
  try {
    value = JSON.parse(receipt);
    // A text that is nested too deep to be written again was never written.
    if (JSON.stringify(value) !== receipt) return null;
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Record<string, unknown>;
  const expected = fields.kind !== "decision" ? controlKeys : fields.v === 1 ? decisionKeys1 : decisionKeys2;
  const keys = Object.keys(fields);
  if (keys.length !== expected.length) return null;
  for (const [index, [key, check]] of expected.entries()) {
    if (keys[index] !== key || !check(fields[key])) return null;
  }
  return commitsOnce(fields) ? (value as Receipt) : null;
};

/** What was put is one thing: the arguments of a call, or the response of a result. */
const commitsOnce = ({ v, phase, args_commitment, response_commitment }: Record<string, unknown>): boolean =>
  v !== 2 ||
  ((args_commitment === null) === (phase === "result") && (response_commitment === null) === (phase === "call"));
