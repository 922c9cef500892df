import type { CheckpointRow, PrunedMark } from "../../store/reader-rows.ts";
import type { ReceiptReader } from "../../store/receipt-reader.ts";
import { beforeFirst, type ChainFinding, type StoredReceipt } from "../verify.ts";
import type { LogVerdict } from "./findings.ts";
import { type LogExpectations, type LogStart, LogWalk } from "./log-walk.ts";
import { type ReadCheckpoint, readCheckpoint } from "./read-checkpoint.ts";

/** A log as it stood at one moment: what a daemon writes after that is not of it. */
export interface StoredLog {
  readonly start: LogStart;
  readonly mark: PrunedMark | null;
  /** The newest that is stored, whatever the receipts say. */
  readonly checkpoint: CheckpointRow | null;
  readonly newest: number;
}

/** The checkpoint before the receipts: one that was stored later could cover more than was read. Throws StoreFailed. */
export const readStoredLog = async (reader: ReceiptReader): Promise<StoredLog> => {
  const mark = await reader.mark();
  const checkpoint = await reader.checkpointThrough(Number.MAX_SAFE_INTEGER);
  const newest = await reader.newestSeq();
  const after = mark === null ? beforeFirst : { seq: mark.through, hash: mark.hash };
  return Object.freeze({
    start: Object.freeze({ chain: reader.chain, after, frontier: mark?.frontier ?? Object.freeze([]) }),
    mark,
    checkpoint,
    newest,
  });
};

/** What a log is made of, in its order: a checkpoint stands after the newest receipt that it covers. */
export type LogEntry =
  | { readonly kind: "receipt"; readonly row: StoredReceipt }
  | { readonly kind: "checkpoint"; readonly row: CheckpointRow };

/** Throws StoreFailed. */
export async function* entriesOf(reader: ReceiptReader, log: StoredLog): AsyncGenerator<LogEntry> {
  const { seq } = log.start.after;
  const checkpoints = checkpointsIn(reader, seq, log.checkpoint?.size ?? 0);
  let checkpoint = await checkpoints.next();
  const standing = async function* (through: number): AsyncGenerator<LogEntry> {
    for (; checkpoint.done !== true && checkpoint.value.size <= through; checkpoint = await checkpoints.next()) {
      yield { kind: "checkpoint", row: checkpoint.value };
    }
  };
  yield* standing(seq);
  for await (const row of reader.rows(seq + 1, log.newest)) {
    yield { kind: "receipt", row };
    if (checkpoint.done !== true && checkpoint.value.size <= row.seq) yield* standing(row.seq);
  }
  yield* standing(Number.MAX_SAFE_INTEGER);
}

async function* checkpointsIn(reader: ReceiptReader, from: number, to: number): AsyncGenerator<CheckpointRow> {
  yield* reader.checkpoints(from, to);
}

/** What a stored log is compared with besides: its own newest checkpoint, which receipts cut off at the end are behind. */
export const walkOf = (log: StoredLog, expect: LogExpectations): LogWalk => {
  const newest = log.checkpoint === null ? null : readCheckpoint(log.checkpoint.note);
  return new LogWalk(log.start, newest === null ? expect : { ...expect, kept: [...expect.kept, newest] });
};

export const takeEntry = (walk: LogWalk, entry: LogEntry): ChainFinding | null => {
  if (entry.kind === "receipt") return walk.receipt(entry.row, entry.row.seq);
  // Stored for more receipts than there are: what is missing is the finding, not the place of the checkpoint.
  const isBeyond = entry.row.size > walk.head.seq;
  return (isBeyond ? walk.end() : null) ?? walk.checkpoint(entry.row.note);
};

/** After the last entry. Receipts that were pruned are gone by the chain's own word, or somebody took them. */
export const endOf = (walk: LogWalk, { mark }: StoredLog): ChainFinding | null => {
  const finding = walk.end();
  if (finding !== null || mark === null || walk.prunedAt !== null) return finding;
  return { seq: mark.through + 1, problem: "prune_unrecorded" };
};

/**
 * Verifies what a store holds, beside a daemon that writes and prunes. `own` is the newest checkpoint beside the store: it was
 * stored before it was written there. Throws StoreFailed.
 */
export const verifyStore = async (
  reader: ReceiptReader,
  expect: LogExpectations,
  own: ReadCheckpoint | null,
  progress: (receipts: number) => void,
): Promise<LogVerdict> => {
  for (;;) {
    const log = await readStoredLog(reader);
    const verdict = await verifyLog(reader, log, expect, own, progress);
    // Receipts that were pruned while they were read are no gap: the log begins later by now.
    if (verdict.whole || (await reader.mark())?.through === log.mark?.through) return verdict;
  }
};

const verifyLog = async (
  reader: ReceiptReader,
  log: StoredLog,
  expect: LogExpectations,
  own: ReadCheckpoint | null,
  progress: (receipts: number) => void,
): Promise<LogVerdict> => {
  const walk = walkOf(log, expect);
  const first = walk.begin();
  if (first !== null) return walk.verdict(first);
  for await (const entry of entriesOf(reader, log)) {
    const finding = takeEntry(walk, entry);
    if (finding !== null) return walk.verdict(finding);
    if (entry.kind === "receipt" && walk.receipts % 65_536 === 0) progress(walk.receipts);
  }
  const finding = endOf(walk, log);
  if (finding !== null || own === null) return walk.verdict(finding);
  const isStored = (await reader.checkpointThrough(own.size))?.size === own.size;
  return walk.verdict(isStored ? null : { seq: own.size, problem: "checkpoint_missing" });
};
