import type { SensorEvent } from "../../wire/event.ts";
import { verdictName } from "../../wire/verdict.ts";
import { type Judgement, noTransaction } from "../engine/judgement.ts";
import type { Acting } from "../identity/acting.ts";
import type { DecisionRecord } from "./record.ts";

/** Where a decision came from and by what it was judged. */
export interface Provenance {
  readonly time_ms: number;
  readonly event: SensorEvent;
  readonly argsCanonical: string;
  readonly session: string | null;
  readonly request: string;
  readonly rules: string;
  readonly acting: Pick<Acting, "source">;
}

export const decisionRecord = (
  from: Provenance,
  judged: Judgement,
  keep: string | null,
  transaction_id: string | null = null,
  capture: DecisionRecord["capture"] = null,
): DecisionRecord => {
  const { event } = from;
  return {
    time_ms: from.time_ms,
    action: event.action,
    phase: event.phase,
    principal: event.principal,
    principal_source: from.acting.source,
    parent_principal: event.parent_principal,
    span_id: event.span_id,
    call_id: event.call_id,
    transaction_id,
    session: from.session,
    request: from.request,
    verdict: verdictName(judged.verdict),
    code: judged.code,
    reason: judged.reason,
    policy_id: judged.policy_id,
    attributed_to: judged.attributed_to,
    rules: from.rules,
    traceJson: judged.traceJson,
    argsCanonical: from.argsCanonical,
    keep,
    capture,
  };
};

/** A block that no gate made: the engine, the ledger or the supervisor could not do its part. */
export const blockJudgement = (code: Judgement["code"], reason: string, policy_id: string | null = null): Judgement =>
  Object.freeze({
    verdict: 1,
    code,
    reason,
    policy_id,
    attributed_to: null,
    modified_args: null,
    modified_result: null,
    traceJson: "[]",
    ...noTransaction,
  });
