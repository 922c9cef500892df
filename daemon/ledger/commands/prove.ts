import { rmSync } from "node:fs";
import { join } from "node:path";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { judgeProof } from "../proofs/judge-proof.ts";
import { makeProof, type ProofQuestion } from "../proofs/make-proof.ts";
import { proofLine } from "../proofs/proof-file.ts";
import { NodeMissing } from "../proofs/stored-tree.ts";
import { type CheckpointText, readNoteText } from "../verification/note-file.ts";
import { readOwnProof } from "../verification/own-proof.ts";
import { readCheckpoint } from "../verification/read-checkpoint.ts";
import { believedAlways } from "../verification/signers.ts";
import { whyMissing } from "./missing-receipt.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";

export interface ProveOptions {
  /** A file with an older checkpoint, or null. */
  readonly consistency: string | null;
  /** The size of an older checkpoint of this log, or null. */
  readonly fromSize: number | null;
  /** Told how far the tiles are, where they have to be made first. */
  readonly progress: (receipts: number) => void;
}

/**
 * A proof of one receipt, as one line of JSON. Exit 0; 1 where what is stored is not what was signed; 2 where there is no
 * such receipt, or no checkpoint covers it yet; 5 without a ledger. Throws Refusal and KeyRefused.
 */
export const prove = (place: ReceiptPlace, seq: number, options: ProveOptions): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const state = findStateDirectory(place.state).path;
    const row = Number.isSafeInteger(seq) && seq > 0 ? await reader.find(seq) : null;
    if (row === null) return refused(ExitCode.refused, await whyMissing(reader, seq));
    const newest = await notedThrough(reader, Number.MAX_SAFE_INTEGER);
    if (newest === null || newest.read.size < seq) {
      return refused(
        ExitCode.refused,
        `no checkpoint covers receipt ${seq} yet; a running daemon signs within a second`,
      );
    }
    const older = await olderOf(reader, options);
    if (older !== null && older.read.size > newest.read.size) {
      return refused(ExitCode.no, problemLine(newest.read.size, "truncated"));
    }
    const { progress } = options;
    const question = { row, newest, older, rootsPath: join(state, "receipts.tiles"), progress };
    return answer(reader, question, state);
  });

const answer = async (reader: ReceiptReader, question: ProofQuestion, state: string): Promise<CommandOutput> => {
  const { keys } = await readOwnProof(state);
  const believed = { keys: keys.map(believedAlways), witnesses: [] };
  try {
    let proof = await makeProof(reader, question);
    let { problem } = judgeProof(proof, believed);
    if (problem === "checkpoint_mismatch" || problem === "forked") {
      // The roots beside the store may be damaged; the receipts themselves say whether anything else is.
      rmSync(question.rootsPath, { force: true });
      proof = await makeProof(reader, question);
      problem = judgeProof(proof, believed).problem;
    }
    return problem === null ? done([proofLine(proof)]) : refused(ExitCode.no, problemLine(question.row.seq, problem));
  } catch (error) {
    if (error instanceof NodeMissing) return refused(ExitCode.refused, error.message);
    throw error;
  }
};

const notedThrough = async (reader: ReceiptReader, size: number): Promise<CheckpointText | null> => {
  const row = await reader.checkpointThrough(size);
  const read = row === null ? null : readCheckpoint(row.note);
  return row === null || read === null ? null : { text: row.note, read };
};

const olderOf = async (
  reader: ReceiptReader,
  { consistency, fromSize }: ProveOptions,
): Promise<CheckpointText | null> => {
  if (consistency !== null) {
    const given = await readNoteText(consistency);
    if (given.read.size > 0) return given;
    throw new Refusal(ExitCode.refused, `the checkpoint ${consistency} is of no receipts: every log continues it`);
  }
  if (fromSize === null) return null;
  const stored = await notedThrough(reader, fromSize);
  if (stored?.read.size === fromSize) return stored;
  throw new Refusal(ExitCode.refused, `there is no checkpoint of ${fromSize} receipts`);
};
