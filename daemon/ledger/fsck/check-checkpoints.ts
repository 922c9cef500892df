import type { ReceiptReader } from "../../store/receipt-reader.ts";
import type { StoreFinding } from "../../store/store-finding.ts";
import { parseReceipt } from "../parse-receipt.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { isOfChain, type ReadCheckpoint, readCheckpoint } from "../verification/read-checkpoint.ts";

/** Rows of checkpoints and of the mark against each other and the file beside the store; what they cover is `verify`'s. Throws StoreFailed. */
export async function* checkCheckpoints(
  reader: ReceiptReader,
  file: ReadCheckpoint | null,
): AsyncGenerator<StoreFinding> {
  // The file first: what it names was stored before.
  const newest = await reader.checkpointThrough(Number.MAX_SAFE_INTEGER);
  const newestSeq = await reader.newestSeq();
  let stored: ReadCheckpoint | null = null;
  for await (const { size, note } of reader.checkpoints(0, newest?.size ?? 0)) {
    const read = readCheckpoint(note);
    const where = `checkpoints ${size}`;
    if (read === null || read.size !== size || !isOfChain(read, reader.chain))
      yield { problem: "checkpoint_damaged", where };
    else if (size === file?.size) stored = read;
    if (size > newestSeq) yield { problem: "checkpoint_beyond", where };
  }
  if (file !== null && stored?.root !== file.root) yield { problem: "checkpoint_differs", where: "checkpoint" };
  yield* checkMark(reader);
}

async function* checkMark(reader: ReceiptReader): AsyncGenerator<StoreFinding> {
  const mark = await reader.mark();
  if (mark === null) return;
  const tree = CompactRange.resume(mark.through, mark.frontier);
  const row = await reader.checkpointThrough(mark.through);
  const signed = row?.size === mark.through ? readCheckpoint(row.note) : null;
  const next = await reader.find(mark.through + 1);
  const isLinked = next === null || parseReceipt(next.receipt)?.prev === mark.hash;
  const isSigned = tree !== null && signed !== null && Buffer.from(tree.root()).toString("hex") === signed.root;
  if (!isSigned || !isLinked) yield { problem: "mark_damaged", where: `pruned ${mark.through}` };
}
