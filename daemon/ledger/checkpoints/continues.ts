import { StoreFailed, StoreRefused } from "../../store/refused.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { type Steps, step } from "../../store/steps.ts";
import type { OpenLedger } from "../record.ts";
import { sameHash } from "../tree/tree-hash.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { parseCheckpointNote, readCheckpointFile } from "./checkpoint-file.ts";
import { receiptsKeyExists, receiptsKeyMissing } from "./receipts-key.ts";
import { readTreeFile } from "./tree-file.ts";

type Opened = Pick<OpenLedger, "chain" | "checkpoints" | "head">;

/**
 * A ledger that was cut off, put back from an older copy or written anew is not gone on with: the next checkpoint would
 * contradict one that others may hold. Compared are the newest checkpoint of the store and the state directory's own; a
 * few reads, because a start waits for them. That every receipt is what it was is for `interlock receipts verify`.
 * Throws StoreRefused: `ledger_truncated`, `ledger_forked`, `receipts_key_missing`, `checkpoint_unusable`, `ledger_other_chain`.
 */
export function* assertContinues(ledger: Opened, directory: StateDirectory, place: string): Steps<void> {
  const file = readCheckpointFile(directory.checkpointPath, ledger.chain);
  const newest = yield* step(ledger.checkpoints.newest());
  if (file === null && newest === null) return;
  if (!receiptsKeyExists(directory.receiptsKeyPath)) throw receiptsKeyMissing(directory.receiptsKeyPath);
  const { seq } = yield* step(ledger.head());
  const signed = Math.max(file?.checkpoint.size ?? 0, newest?.size ?? 0);
  if (signed > seq) {
    throw new StoreRefused(
      "ledger_truncated",
      `${place} ends with receipt ${seq} and its checkpoint is of ${signed}; restore the newest copy of it`,
    );
  }
  if (file === null) return;
  const { size } = file.checkpoint;
  const stored = newest?.size === size ? newest : yield* step(ledger.checkpoints.find(size));
  const root = stored === null ? null : parseCheckpointNote(stored.note)?.checkpoint;
  if (!isSame(root ?? null, file.checkpoint)) throw forked(place, size);
  const saved = readTreeFile(directory.treePath);
  if (saved === null || saved.tree.size !== size || !sameHash(saved.tree.root(), file.checkpoint.root)) return;
  if ((yield* hashOf(ledger, size)) !== saved.lastHash) throw forked(place, size);
}

/** Of a receipt, or of the mark that stands for it. Null where it is not there, or not whole. */
function* hashOf({ checkpoints }: Opened, seq: number): Steps<string | null> {
  const mark = yield* step(checkpoints.mark());
  if (mark?.through === seq) return mark.hash;
  try {
    const hash = yield* step(checkpoints.hashes(seq, 1));
    return hash.length === 0 ? null : Buffer.from(hash).toString("hex");
  } catch (error) {
    if (error instanceof StoreFailed) return null;
    throw error;
  }
}

const isSame = (one: Checkpoint | null, other: Checkpoint): boolean =>
  one !== null && one.origin === other.origin && one.size === other.size && sameHash(one.root, other.root);

const forked = (place: string, size: number): StoreRefused =>
  new StoreRefused(
    "ledger_forked",
    `${place} has other receipts than the checkpoint of ${size} was made of; restore the copy that goes on from it`,
  );
