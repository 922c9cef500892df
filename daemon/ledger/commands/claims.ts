import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import type { ReceiptRow } from "../../store/store.ts";
import { type Approved, type Claims, claimsOf } from "../claims/claims.ts";
import { LaterCallsCount } from "../claims/later-calls.ts";
import { receiptHash } from "../hash.ts";
import { type DecisionReceipt, parseReceipt, type Receipt } from "../parse-receipt.ts";
import { readOwnProof } from "../verification/own-proof.ts";
import { isOfChain } from "../verification/read-checkpoint.ts";
import { ChainWalk } from "../verify.ts";
import { CommandFailed, type CommandOutput, done, problemLine, reading, refused } from "./output.ts";
import { printable } from "./receipt-line.ts";

/** Which receipt: by its number, or the newest that decided a call of this id. */
export type ClaimsQuestion = { readonly seq: number } | { readonly call_id: string };

/**
 * The four claims about one call: was it approved, what was observed, what was decided, and did anything run after we knew.
 * Reads the chain from there to its end, however long it is. Exit 0; 1 where a receipt is damaged, or missing; 2 where there is no such
 * decision; 5 without a ledger.
 */
export const claims = (place: ReceiptPlace, question: ClaimsQuestion, json: boolean): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    try {
      const receipt = "seq" in question ? await decisionAt(reader, question.seq) : await decisionOf(reader, question);
      if (receipt === null) return refused(ExitCode.refused, missing(question));
      const later = new LaterCallsCount(receipt);
      // What was taken away ran all the same: from here to the newest checkpoint nothing may be missing.
      const signed = await signedSize(place, reader);
      const hash = (await reader.find(receipt.seq))?.hash ?? "";
      const walk = new ChainWalk(reader.chain, { seq: receipt.seq, hash }, null);
      for await (const row of reader.rows(receipt.seq + 1, await reader.newestSeq())) {
        const finding = walk.take(row);
        if (finding !== null) throw new CommandFailed(ExitCode.no, problemLine(finding.seq, finding.problem));
        if (walk.newest?.kind === "decision") later.take(walk.newest);
      }
      if (walk.head.seq < signed) throw new CommandFailed(ExitCode.no, problemLine(walk.head.seq, "truncated"));
      const answer = claimsOf(receipt, later.report());
      return done(json ? [JSON.stringify(answer)] : linesOf(answer));
    } catch (error) {
      if (error instanceof CommandFailed) return refused(error.exitCode, error.message);
      throw error;
    }
  });

/** How many receipts the newest checkpoint is of, the store's or the one beside it; its signature is for `verify`. */
const signedSize = async ({ state }: ReceiptPlace, reader: ReceiptReader): Promise<number> => {
  const { kept } = await readOwnProof(findStateDirectory(state).path);
  const stored = await reader.checkpointThrough(Number.MAX_SAFE_INTEGER);
  return Math.max(kept !== null && isOfChain(kept, reader.chain) ? kept.size : 0, stored?.size ?? 0);
};

const missing = (question: ClaimsQuestion): string =>
  "seq" in question
    ? `there is no receipt ${question.seq} of a decision`
    : "there is no receipt that decided a call of this id";

/** What is counted has to be what was written. Throws CommandFailed. */
const wholeReceipt = ({ seq, receipt: text, hash }: ReceiptRow): Receipt => {
  const receipt = parseReceipt(text);
  if (receipt === null || receipt.seq !== seq) throw new CommandFailed(ExitCode.no, problemLine(seq, "malformed"));
  if (receiptHash(text) !== hash) throw new CommandFailed(ExitCode.no, problemLine(seq, "edited"));
  return receipt;
};

const decisionAt = async (reader: ReceiptReader, seq: number): Promise<DecisionReceipt | null> => {
  const row = await reader.find(seq);
  const receipt = row === null ? null : wholeReceipt(row);
  return receipt?.kind === "decision" ? receipt : null;
};

const decisionOf = async (
  reader: ReceiptReader,
  { call_id }: { readonly call_id: string },
): Promise<DecisionReceipt | null> => {
  let newest: DecisionReceipt | null = null;
  for await (const row of reader.rows(1, await reader.newestSeq())) {
    const receipt = wholeReceipt(row);
    if (receipt.kind === "decision" && receipt.phase === "call" && receipt.call_id === call_id) newest = receipt;
  }
  return newest;
};

const approvedLines: Readonly<Record<Approved, string>> = Object.freeze({
  nobody_was_asked: "nobody's yes was needed",
  asked: "somebody's yes was needed, and was not there yet",
  given: "somebody's yes was needed, and was given",
  not_given: "somebody's yes was needed, and was refused, used up or past its time",
  not_reached: "it was refused before anybody could be asked",
  not_said: "the receipt does not tell",
});

const linesOf = ({
  seq,
  action,
  principal,
  approved,
  observed,
  decided,
  executed_after,
}: Claims): readonly string[] => {
  const { executed, blocked_attempts, other, ran, first, last } = executed_after;
  const who = principal === null ? "of nobody named" : `of ${printable(principal)}`;
  const where = first === null ? "" : `, receipts ${first} to ${last}`;
  return [
    `receipt ${seq}: ${printable(action)} ${who}`,
    `approved: ${approvedLines[approved]}`,
    `observed: ${observed ?? "no approved surface of a server"}`,
    `decided: ${decided.verdict} ${decided.code} ${printable(decided.reason)}`,
    `executed after we knew: ${ran ? "yes" : "no"} (${executed.let_run} let run, ${executed.reported} results reported${where})`,
    `blocked attempts after it: ${blocked_attempts}; other: ${other}`,
  ];
};
