import { resendLease_ms } from "../../wire/limits.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import type { ReceiptStore } from "../store/store.ts";
import { argsCommitment } from "./hash.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { type DecisionReceipt, parseReceipt } from "./parse-receipt.ts";
import type { FoundDecision, ResendQuestion } from "./record.ts";
import type { ResendIndex } from "./resend-index.ts";

const notSame: FoundDecision = Object.freeze({ same: false });

const sameQuestion = (ask: ResendQuestion, receipt: DecisionReceipt, salt: string): boolean =>
  receipt.session === ask.session &&
  receipt.request === ask.request &&
  receipt.action === ask.action &&
  receipt.phase === ask.phase &&
  receipt.principal === ask.principal &&
  receipt.parent_principal === ask.parent_principal &&
  receipt.span_id === ask.span_id &&
  receipt.call_id === ask.call_id &&
  receipt.args_commitment === argsCommitment(salt, ask.argsCanonical);

/**
 * The decision that this session's request was given, from the receipt itself. Whatever cannot be compared is not the
 * same question: a salt that was erased, a receipt that is damaged, a store that cannot be read. And an answer that was
 * to be kept and is not there is no answer: told by its receipt alone it would be a rewrite without the rewrite.
 */
export const findDecision = (
  ask: ResendQuestion,
  index: ResendIndex,
  store: ReceiptStore,
  answers: KeptAnswers,
): Maybe<FoundDecision | null> => {
  const seq = index.find(ask.session, ask.request);
  return seq === null ? null : runSteps(compare(ask, seq, store, answers));
};

function* compare(
  ask: ResendQuestion,
  seq: number,
  store: ReceiptStore,
  answers: KeptAnswers,
): Steps<FoundDecision | null> {
  try {
    const row = yield* step(store.find(seq));
    const receipt = row === null ? null : parseReceipt(row.receipt);
    if (row === null || receipt === null || receipt.kind !== "decision") {
      return { same: false, error: "the receipt of this request cannot be read" };
    }
    if (ask.now_ms - receipt.time_ms > resendLease_ms) return null;
    if (row.salt === null || !sameQuestion(ask, receipt, row.salt)) return notSame;
    const keep = receipt.kept ? yield* step(answers.open(seq)) : null;
    if (receipt.kept && keep === null) return { same: false, error: "the answer to this request is no longer kept" };
    const { verdict, code, reason, policy_id, attributed_to, transaction_id } = receipt;
    const said = { verdict, code, reason, policy_id, attributed_to, transaction_id };
    return { same: true, kept: { seq, ...said, keep } };
  } catch (error) {
    if (error instanceof StoreFailed) return { same: false, error: error.message };
    throw error;
  }
}
