import { canonicalJson } from "../../wire/canonical.ts";
import type { OutcomeBody } from "../../wire/request-bodies.ts";
import type { Acting } from "../identity/acting.ts";
import { takenDown } from "../ledger/decision-record.ts";
import type { Asking } from "./asked-question.ts";
import { refusedBy } from "./identified.ts";

/** What an outcome is recorded as: the transaction that it closes is named by the receipt. */
const outcomeAction = "interlock.outcome";

/** A call that has no result: it failed, or its client did not run it. */
export const outcomeAsking = (
  line: Uint8Array,
  id: string,
  body: OutcomeBody,
  acting: Acting,
  now_ms: number,
): Asking => {
  const { call_id, status, error_type } = body;
  const argsJson = { error_type, status };
  const event = {
    action: outcomeAction,
    args: argsJson,
    phase: "result" as const,
    principal: acting.principal,
    parent_principal: null,
    span_id: null,
    ts: null,
    call_id,
  };
  const { identity, refused } = acting;
  return {
    line,
    judgedLine: line,
    id,
    received: { event, argsJson, grade: null, server: null },
    acting,
    argsCanonical: canonicalJson(argsJson),
    resume: null,
    fixed:
      refused === null
        ? { judged: recorded, plan: { kind: "fail", call_id, by: identity, status, error_type, now_ms } }
        : { judged: refusedBy(refused), plan: null },
  };
};

const recorded = takenDown("outcome_recorded");
