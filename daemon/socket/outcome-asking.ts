import { canonicalJson } from "../../wire/canonical.ts";
import type { OutcomeBody } from "../../wire/request-bodies.ts";
import type { Judgement } from "../engine/judgement.ts";
import { noTransaction } from "../engine/judgement.ts";
import type { Asking } from "./asked-question.ts";

/** What an outcome is recorded as: the transaction that it closes is named by the receipt. */
const outcomeAction = "interlock.outcome";

/** A call that has no result: it failed, or its client did not run it. */
export const outcomeAsking = (line: Uint8Array, id: string, body: OutcomeBody, now_ms: number): Asking => {
  const { call_id, status, error_type } = body;
  const argsJson = { error_type, status };
  const event = {
    action: outcomeAction,
    args: argsJson,
    phase: "result" as const,
    principal: null,
    parent_principal: null,
    span_id: null,
    ts: null,
    call_id,
  };
  return {
    line,
    judgedLine: line,
    id,
    received: { event, argsJson },
    argsCanonical: canonicalJson(argsJson),
    resume: null,
    fixed: { judged: recorded, plan: { kind: "fail", call_id, status, error_type, now_ms } },
  };
};

const recorded: Judgement = Object.freeze({
  verdict: 0,
  code: "outcome_recorded",
  reason: "",
  policy_id: null,
  attributed_to: null,
  modified_args: null,
  modified_result: null,
  traceJson: "[]",
  ...noTransaction,
});
