import { resendLease_ms } from "../../../wire/limits.ts";
import type { CheckpointReads } from "../../store/checkpoint-rows.ts";
import type { CheckpointRow, PrunedMark } from "../../store/reader-rows.ts";
import { StoreFailed } from "../../store/refused.ts";
import { type Maybe, type Steps, step } from "../../store/steps.ts";
import type { Head, ReceiptRow } from "../../store/store.ts";
import type { StoreTx } from "../../store/transaction-rows.ts";
import { parseReceipt } from "../parse-receipt.ts";
import type { ControlRecord } from "../record.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { treeHashBytes } from "../tree/tree-hash.ts";
import { isOfChain, readCheckpoint } from "../verification/read-checkpoint.ts";
import { markDetail } from "./mark.ts";

/** What pruning needs of the ledger. Everything may throw StoreFailed. */
export interface PrunableLedger {
  readonly chain: string;
  readonly checkpoints: CheckpointReads;
  find(seq: number): Maybe<ReceiptRow | null>;
  head(): Maybe<Head>;
  change<T>(work: (tx: StoreTx, note: (record: ControlRecord) => Steps<void>) => Steps<T>): Maybe<T>;
}

/** Which receipts are not needed any more. */
export type PruneBound =
  | { readonly kind: "before_seq"; readonly seq: number }
  | { readonly kind: "before_time"; readonly time_ms: number };

export interface PruneOrder {
  readonly bound: PruneBound;
  /** Who ordered it, for the receipt: `operator:alice`, `receipts_days`. */
  readonly by: string;
  /** Digest of the rules in force. */
  readonly rules: string;
  readonly now_ms: number;
}

/** Receipts of one step: the store's writer is held for as long as these take. */
export const prunedAtOnce = 16_384;
/** A receipt this young is looked up when a question is asked again. */
export const youngestPruned_ms = 2 * resendLease_ms;
/** Hashes of one read. */
const hashesAtOnce = 1_024;

/**
 * Prunes a part of what an order is for, and says through which receipt; null where nothing more is to be pruned. A part is
 * the oldest receipts through the size of a stored checkpoint. The mark that stands for them, and the receipt that tells of
 * it, are written in the transaction that deletes them. Throws StoreFailed; then nothing was deleted.
 */
export const pruneStep = async (ledger: PrunableLedger, order: PruneOrder): Promise<number | null> => {
  const { checkpoints } = ledger;
  const before = await checkpoints.mark();
  const checkpoint = await checkpointFor(ledger, before?.through ?? 0, order);
  if (checkpoint === null) return null;
  const { now_ms, rules, by } = order;
  const mark = await markOf(ledger, before, checkpoint, now_ms);
  const detail = markDetail({ seq: mark.through, hash: mark.hash }, by);
  await ledger.change(function* (tx, note) {
    yield* step(tx.prune(mark));
    yield* note({ time_ms: now_ms, event: "receipts_pruned", rules, rules_before: rules, detail });
  });
  return mark.through;
};

/** The newest checkpoint that an order reaches, of some `prunedAtOnce` receipts more than are gone. */
const checkpointFor = async (
  ledger: PrunableLedger,
  through: number,
  { bound, now_ms }: PruneOrder,
): Promise<CheckpointRow | null> => {
  const oldest_ms = now_ms - youngestPruned_ms;
  const before_ms = bound.kind === "before_time" ? Math.min(bound.time_ms, oldest_ms) : oldest_ms;
  // The newest receipt stays, whatever is ordered: it is what the next one links to.
  const newest = (await ledger.head()).seq;
  const lastSeq = Math.min(newest, bound.kind === "before_seq" ? bound.seq : newest) - 1;
  // Where nothing was signed for long, as in a chain that is older than its first checkpoint, a step is as long as that was.
  const reaches = async (seq: number): Promise<boolean> =>
    ((await ledger.checkpoints.through(seq))?.size ?? 0) > through;
  let reach = prunedAtOnce;
  while (through + reach < lastSeq && !(await reaches(through + reach))) reach *= 2;
  const isOld = async (size: number): Promise<boolean> => {
    const row = await ledger.find(size);
    const time_ms = row === null ? undefined : parseReceipt(row.receipt)?.time_ms;
    if (time_ms === undefined) throw new StoreFailed(`receipt ${size} is damaged or missing`);
    return time_ms < before_ms;
  };
  let [low, high] = [through, Math.min(lastSeq, through + reach)];
  let found: CheckpointRow | null = null;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    const row = await ledger.checkpoints.through(middle);
    if (row === null || row.size <= low) low = middle;
    else if (await isOld(row.size)) [found, low] = [row, middle];
    else high = row.size - 1;
  }
  return found;
};

/** The tree goes on from the mark before; its root has to be the checkpoint's, or something else would be stood for. */
const markOf = async (
  { chain, checkpoints }: PrunableLedger,
  before: PrunedMark | null,
  { size, note }: CheckpointRow,
  time_ms: number,
): Promise<PrunedMark> => {
  const tree = before === null ? CompactRange.empty() : CompactRange.resume(before.through, before.frontier);
  const checkpoint = readCheckpoint(note);
  const contradicted = new StoreFailed(`checkpoint ${size} is not of the receipts that are stored`);
  if (tree === null || checkpoint?.size !== size || !isOfChain(checkpoint, chain)) throw contradicted;
  let hash = "";
  while (tree.size < size) {
    const hashes = await checkpoints.hashes(tree.size + 1, Math.min(hashesAtOnce, size - tree.size));
    if (hashes.length === 0) throw contradicted;
    tree.addReceipts(hashes);
    hash = Buffer.from(hashes.subarray(-treeHashBytes)).toString("hex");
  }
  if (Buffer.from(tree.root()).toString("hex") !== checkpoint.root) throw contradicted;
  return Object.freeze({ through: size, hash, frontier: tree.frontier(), time_ms });
};
