import type { Decision } from "../../wire/decision.ts";
import { WireError } from "../../wire/errors.ts";
import type { FeatureSet } from "../../wire/features.ts";
import { errorFrame, responseFrame } from "../../wire/response.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Judgement } from "../engine/judgement.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import type { KeptDecision } from "../ledger/record.ts";

/** What an answer says of the transaction that it is of. */
export interface AnswerIds {
  readonly approval_id: string | null;
  readonly transaction_id: string | null;
  readonly replayed: boolean;
}

export const noIds: AnswerIds = Object.freeze({ approval_id: null, transaction_id: null, replayed: false });

type Said = Omit<Judgement, "traceJson" | "transaction" | "contract" | "policies" | "scope" | "surface">;

const decisionOf = (judged: Said, ids: AnswerIds): Decision => ({
  verdict: judged.verdict,
  reason: judged.reason,
  policy_id: judged.policy_id,
  attributed_to: judged.attributed_to,
  modified_args: judged.modified_args,
  modified_result: judged.modified_result,
  details: { code: judged.code, errors: judged.errors, ...ids },
});

/** An answer as it will be sent, with the judgement that it states: the two are settled before the receipt is made. */
export interface Answer {
  readonly judged: Judgement;
  readonly frame: string;
}

/** The protocol tells these by an error frame; to the client that is a block all the same. */
const isToldAsError = (code: Judgement["code"]): code is "unrepresentable" | "scope_mismatch" =>
  code === "unrepresentable" || code === "scope_mismatch";

/** A rewrite that does not fit a frame becomes a block: what the client cannot be told, it must not run. */
export const answerFor = (id: string, judged: Judgement, features: FeatureSet, ids: AnswerIds = noIds): Answer => {
  if (isToldAsError(judged.code)) return { judged, frame: errorFrame(id, judged.code, judged.reason) };
  try {
    return { judged, frame: responseFrame(id, decisionOf(judged, ids), features) };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const blocked =
      error.code === "too_large"
        ? blockJudgement("answer_too_large", "the rewritten call does not fit a frame", judged.policy_id)
        : blockJudgement(
            "unrepresentable",
            "the rewritten call has a part this client cannot be sent",
            judged.policy_id,
          );
    return {
      judged: {
        ...blocked,
        traceJson: judged.traceJson,
        contract: judged.contract,
        policies: judged.policies,
        scope: judged.scope,
        surface: judged.surface,
      },
      frame: responseFrame(id, decisionOf(blocked, noIds), features),
    };
  }
};

/** The answer of a decision found again: as it was kept, or as its receipt tells it. */
export const answerFromKept = (id: string, kept: KeptDecision, features: FeatureSet): string => {
  if (kept.keep !== null) return kept.keep;
  if (isToldAsError(kept.code)) return errorFrame(id, kept.code, kept.reason);
  const { reason, policy_id, attributed_to, code } = kept;
  return responseFrame(
    id,
    decisionOf(
      {
        verdict: Verdict[kept.verdict],
        code,
        reason,
        policy_id,
        attributed_to,
        modified_args: null,
        modified_result: null,
        errors: [],
      },
      { approval_id: null, transaction_id: kept.transaction_id, replayed: false },
    ),
    features,
  );
};
