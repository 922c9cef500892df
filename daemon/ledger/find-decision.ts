import { resendLease_ms } from "../../wire/limits.ts";
import { isIdentityRefusal } from "../identity/acting.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import type { ReceiptStore, TransactionStore } from "../store/store.ts";
import { putOf } from "./commitments.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { openCommitment } from "./open-commitment.ts";
import { type DecisionReceipt, parseReceipt } from "./parse-receipt.ts";
import type { FoundDecision, ResendQuestion } from "./record.ts";
import type { ResendIndex } from "./resend-index.ts";

type ResendStore = Pick<ReceiptStore, "find"> & Pick<TransactionStore, "reads">;

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
  openCommitment(receipt, putOf(receipt.phase), salt, ask.argsCanonical);

/**
 * The decision that this session's request was given (null where it is to be judged again), from the receipt itself. Whatever cannot be compared is not the
 * same question: a salt that was erased, a receipt that is damaged, a store that cannot be read. And an answer that was
 * to be kept and is not there is no answer: told by its receipt alone it would be a rewrite without the rewrite.
 */
export const findDecision = (
  ask: ResendQuestion,
  index: ResendIndex,
  store: ResendStore,
  answers: KeptAnswers,
): Maybe<FoundDecision | null> => {
  const seq = index.find(ask.session, ask.request);
  return seq === null ? null : runSteps(compare(ask, seq, index.stopped_seq, store, answers));
};

/**
 * A call that was let run is told so again while it is under way. Once its result or its failure is known it is judged anew:
 * an old yes would run it a second time, beside whoever took its claim since.
 */
function* mayStillRun(
  { phase, verdict, transaction_id }: DecisionReceipt,
  now_ms: number,
  store: ResendStore,
): Steps<boolean> {
  if (transaction_id === null || phase !== "call" || (verdict !== "ALLOW" && verdict !== "MODIFY")) return true;
  const row = yield* step(store.reads.findTransaction(transaction_id));
  // Without a row it has no claim, and nobody tells what became of it.
  return row === null || (row.status === "authorized" && row.lease_until_ms > now_ms);
}

function* compare(
  ask: ResendQuestion,
  seq: number,
  stopped_seq: number,
  store: ResendStore,
  answers: KeptAnswers,
): Steps<FoundDecision | null> {
  try {
    const row = yield* step(store.find(seq));
    const receipt = row === null ? null : parseReceipt(row.receipt);
    if (row === null || receipt === null || receipt.kind !== "decision") {
      return { same: false, error: "the receipt of this request cannot be read" };
    }
    if (ask.now_ms - receipt.time_ms > resendLease_ms) return null;
    // Whoever was refused for who he is, and comes back as somebody who may ask, is judged: nothing was decided of his call.
    if (isIdentityRefusal(receipt.code)) return null;
    // A stop has begun since: nobody who was let run before it is let run by it.
    const isBeforeStop = receipt.time_ms <= ask.stopped_ms || seq < stopped_seq;
    if (isBeforeStop && receipt.verdict !== "BLOCK") return null;
    if (row.salt === null || !sameQuestion(ask, receipt, row.salt)) return notSame;
    if (!(yield* mayStillRun(receipt, ask.now_ms, store))) return null;
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
