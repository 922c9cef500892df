import { decodeValue } from "../../wire/codec.ts";
import type { FeatureSet } from "../../wire/features.ts";
import type { JsonValue, WireValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Settled } from "../transactions/plan.ts";
import type { Judgement } from "./judgement.ts";
import type { ReasonCode } from "./reason-codes.ts";

/** A judgement as it is answered, once its plan is settled. */
export interface SettledJudgement {
  readonly judged: Judgement;
  readonly approval_id: string | null;
  readonly transaction_id: string | null;
  readonly replayed: boolean;
}

type Blocking = Exclude<
  Settled["kind"],
  "authorized" | "pending" | "refused" | "closed" | "replay" | "unmatched" | "told" | "told_before"
>;

const blocking: Readonly<Record<Blocking, (settled: never) => { code: ReasonCode; reason: string }>> = {
  in_flight: () => ({ code: "in_flight", reason: "this call is under way already; its result is not known yet" }),
  outcome_unknown: () => ({
    code: "outcome_unknown",
    reason:
      "this call was allowed before and nobody knows whether it ran; an operator decides (interlock transactions)",
  }),
  held: ({ code, reason }: Extract<Settled, { kind: "held" }>) => ({ code, reason }),
  stopped: () => ({ code: "stopped", reason: "everything is stopped; interlock resume ends it" }),
  key_reused: () => ({ code: "key_reused", reason: "this idempotency key was used for another call" }),
  coordination_unavailable: () => ({
    code: "coordination_unavailable",
    reason: "the coordination that daemons share cannot be reached; nobody knows whether this call runs elsewhere",
  }),
  approval_too_large: () => ({
    code: "approval_too_large",
    reason: "an operator's yes is needed, and the arguments are too long to be shown to one",
  }),
  call_id_in_use: () => ({ code: "call_id_in_use", reason: "another call of this call id is under way" }),
  limit_exceeded: ({ reason }: Extract<Settled, { kind: "limit_exceeded" }>) => ({ code: "limit_exceeded", reason }),
  approval_over: ({ status }: Extract<Settled, { kind: "approval_over" }>) => approvalOver[status],
};

const approvalOver: Readonly<
  Record<Extract<Settled, { kind: "approval_over" }>["status"], { code: ReasonCode; reason: string }>
> = Object.freeze({
  denied: { code: "approval_denied", reason: "an operator said no to this call" },
  expired: { code: "approval_expired", reason: "the approval is past its time; ask again" },
  revoked: { code: "approval_revoked", reason: "the grant was revoked; ask again" },
  used: { code: "approval_used", reason: "the grant was used for a call that did not run; ask again" },
  missing: { code: "approval_missing", reason: "there is no approval of this id for this call id" },
  other_call: { code: "approval_other_call", reason: "what would run now is not what was approved; ask again" },
});

/**
 * What the client is told. Only `authorized` lets a call run; whatever the gates found, anything else is a block, or a
 * request for a yes.
 */
export const settledJudgement = (gated: Judgement, settled: Settled, features: FeatureSet): SettledJudgement => {
  const judged = { ...gated, traceJson: traced(gated.traceJson, settled) };
  const { transaction } = judged;
  const ids = { approval_id: null, transaction_id: null, replayed: false };
  switch (settled.kind) {
    case "authorized": {
      const { transaction_id, approval_id } = settled;
      const granted = transaction === null ? judged : { ...judged, ...transaction.granted };
      // A filled-in or rewritten call is told as one, whoever said yes to it.
      const verdict =
        granted.verdict === Verdict.ALLOW && judged.modified_args !== null ? Verdict.MODIFY : granted.verdict;
      const code = verdict === Verdict.MODIFY && granted.code === "allowed" ? "rewritten" : granted.code;
      return { judged: { ...granted, verdict, code }, approval_id, transaction_id, replayed: false };
    }
    case "pending": {
      const { transaction_id, approval_id } = settled;
      // Who says yes by itself must resume then. `replay` came with that: a client without it would run the call at once.
      // An operator's yes is told by its code, and a client that reads codes gives none itself.
      const isOperators = judged.code !== "escalated";
      if (features.details && (isOperators || (features.call_id && features.replay)))
        return { judged: pendingJudgement(judged), approval_id, transaction_id, replayed: false };
      // Its client could approve by itself, and nobody would know that it ran: it is told whom to ask.
      const reason = `an approval is awaited (${approval_id}); put the same call again once it is granted`;
      return { judged: block(judged, "approval_pending", reason), approval_id, transaction_id, replayed: false };
    }
    // What a client tells is settled where it is told (socket/offline-telling.ts) and is no judgement.
    case "told":
    case "told_before":
      return { judged, ...ids };
    case "refused":
      return { judged, ...ids, transaction_id: settled.transaction_id };
    case "closed":
      return { judged, ...ids, transaction_id: settled.transaction_id };
    case "unmatched":
      // A result that closes nothing is delivered as it was judged; an outcome has nothing else to say.
      if (judged.code !== "outcome_recorded") return { judged, ...ids };
      return { judged: block(judged, "outcome_unmatched", "no call of this call id is under way"), ...ids };
    case "replay": {
      const { transaction_id, result } = settled;
      const canReplay = features.replay && features.details;
      const modified_result = canReplay && result !== null ? replayed(result) : null;
      const reason =
        modified_result === null
          ? `this call was executed before (${transaction_id}); it is not run again`
          : `this call was executed before (${transaction_id}); its recorded result is the answer`;
      const blocked = block(judged, "replayed", reason);
      return { judged: { ...blocked, modified_result }, approval_id: null, transaction_id, replayed: true };
    }
    default: {
      const { code, reason } = blocking[settled.kind](settled as never);
      const about =
        settled.kind === "limit_exceeded"
          ? { policy_id: settled.policyId, attributed_to: settled.attributedTo }
          : { policy_id: null, attributed_to: null };
      const of = "transaction_id" in settled ? settled.transaction_id : null;
      const approval_id = settled.kind === "approval_over" ? settled.approval_id : null;
      return { judged: { ...block(judged, code, reason), ...about }, approval_id, transaction_id: of, replayed: false };
    }
  }
};

const answers: Readonly<Partial<Record<Settled["kind"], string>>> = Object.freeze({
  authorized: "ALLOW",
  pending: "REQUIRE_APPROVAL",
  closed: "ALLOW",
  unmatched: "SKIP",
});

/** How it was settled is the trace's last word. */
const traced = (traceJson: string, { kind }: Settled): string =>
  kind === "refused"
    ? traceJson
    : `${traceJson.slice(0, -1)}${traceJson === "[]" ? "" : ","}"settle/${kind}:${answers[kind] ?? "DENY"}"]`;

/** A resume that still waits says so; a call that has just asked is an escalation as its rule or policy worded it. */
const pendingJudgement = (judged: Judgement): Judgement => {
  const plan = judged.transaction?.plan;
  const isResume = (plan?.kind === "ask" || plan?.kind === "authorize") && plan.resume !== null;
  const code = isResume ? "approval_pending" : judged.code;
  return { ...judged, verdict: Verdict.ESCALATE, code };
};

const block = (judged: Judgement, code: ReasonCode, reason: string): Judgement => ({
  ...judged,
  verdict: Verdict.BLOCK,
  code,
  reason,
  policy_id: null,
  attributed_to: null,
  modified_args: null,
  modified_result: null,
});

/** Our own canonical text of what was a value: it is one again. */
const replayed = (result: string): WireValue => decodeValue(JSON.parse(result) as JsonValue, { escape: true });
