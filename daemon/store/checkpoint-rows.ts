import type { CheckpointRow, PrunedMark } from "./reader-rows.ts";
import { StoreFailed } from "./refused.ts";
import type { Maybe } from "./steps.ts";

/** Checkpoints, and what they are made of, beside whoever writes receipts. Each method throws StoreFailed. */
export interface CheckpointReads {
  newest(): Maybe<CheckpointRow | null>;
  find(size: number): Maybe<CheckpointRow | null>;
  /** The newest of at most so many receipts. */
  through(size: number): Maybe<CheckpointRow | null>;
  /** What stands for the receipts that were pruned last; null where none ever was. */
  mark(): Maybe<PrunedMark | null>;
  /**
   * The hashes that are stored of receipts `from` and following, `count` at most: as far as they are where receipts stay,
   * without what a journal holds. A number that is not where it belongs fails.
   */
  hashes(from: number, count: number): Maybe<readonly string[]>;
}

export interface NewCheckpoint extends CheckpointRow {
  /** When it was signed, as the daemon's clock had it. */
  readonly time_ms: number;
}

/** For whoever signs, beside the writer of the chain. */
export interface CheckpointStore extends CheckpointReads {
  readonly chain: string;
  /** The newest receipt where receipts stay; 0 where there is none. */
  newestSeq(): Maybe<number>;
  /**
   * Stores a checkpoint; receipts up to its size, and it, survive a crash of the machine when it answers. Where one of
   * that size stands it stays, and is the answer.
   */
  put(checkpoint: NewCheckpoint): Maybe<CheckpointRow>;
  /** False where the note of that size is not `before`. */
  replaceNote(size: number, before: string, after: string): Maybe<boolean>;
  close(): Maybe<void>;
}

/** Receipts that follow each other from `from`; one at another place is a gap. Throws StoreFailed. */
export const hashesFrom = (
  from: number,
  rows: readonly { readonly seq: number; readonly hash: string }[],
): readonly string[] =>
  rows.map(({ seq, hash }, at) => {
    if (seq === from + at && /^[0-9a-f]{64}$/.test(hash)) return hash;
    throw new StoreFailed(`receipt ${from + at} is damaged or missing`);
  });
