import type { SensorEvent } from "../../wire/event.ts";
import type { Grade } from "../../wire/grade.ts";
import { Verdict, verdictName } from "../../wire/verdict.ts";
import { type Judgement, noSignedData, noTransaction } from "../engine/judgement.ts";
import type { Acting } from "../identity/acting.ts";
import type { LoadedRules } from "../rulesets/loaded.ts";
import type { DecisionRecord } from "./record.ts";

/** Where a decision came from and by what it was judged. */
export interface Provenance {
  readonly time_ms: number;
  readonly event: SensorEvent;
  readonly argsCanonical: string;
  readonly session: string | null;
  readonly request: string;
  /** The rules that judged: their digest and version. */
  readonly loaded: Pick<LoadedRules, "digest" | "version">;
  readonly acting: Pick<Acting, "source" | "identity">;
  /** What the client said of itself. */
  readonly client: string | null;
  readonly grade: Grade | null;
}

/** What a receipt is given besides; each has its place in record.ts. */
export type Besides = Pick<
  DecisionRecord,
  "keep" | "transaction_id" | "capture" | "committed" | "finalCanonical" | "decided" | "offline"
>;

export const nothingBesides: Besides = Object.freeze({
  keep: null,
  transaction_id: null,
  capture: null,
  committed: null,
  finalCanonical: null,
  decided: null,
  offline: null,
});

export const decisionRecord = (from: Provenance, judged: Judgement, besides: Besides): DecisionRecord => {
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
    transaction_id: besides.transaction_id,
    identity: from.acting.identity,
    client: from.client,
    grade: from.grade,
    offline: besides.offline,
    session: from.session,
    request: from.request,
    verdict: verdictName(judged.verdict),
    code: judged.code,
    reason: judged.reason,
    policy_id: judged.policy_id,
    attributed_to: judged.attributed_to,
    rules: from.loaded.digest,
    rules_version: from.loaded.version,
    contract: judged.contract,
    policies: judged.policies,
    scope: judged.scope,
    surface: judged.surface,
    decided: besides.decided,
    traceJson: judged.traceJson,
    argsCanonical: from.argsCanonical,
    committed: besides.committed,
    finalCanonical: besides.finalCanonical,
    keep: besides.keep,
    capture: besides.capture,
  };
};

/** A block that no gate made: the engine, the ledger or the supervisor could not do its part. */
export const blockJudgement = (code: Judgement["code"], reason: string, policy_id: string | null = null): Judgement =>
  Object.freeze({ ...unjudged, verdict: Verdict.BLOCK, code, reason, policy_id });

/** What was told is taken down: nothing is asked, and nothing is let run by it. */
export const takenDown = (
  code: "offline_recorded" | "outcome_recorded" | "surface_held" | "surface_recorded",
): Judgement => Object.freeze({ ...unjudged, verdict: Verdict.ALLOW, code });

const unjudged = Object.freeze({
  reason: "",
  policy_id: null,
  attributed_to: null,
  modified_args: null,
  modified_result: null,
  traceJson: "[]",
  ...noSignedData,
  ...noTransaction,
});
