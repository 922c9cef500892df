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
   * The hashes of receipts `from` and following, `count` at most, 32 bytes each, as they stand with the receipts: as far as
   * those are where receipts stay, without what a journal holds. A number that is not where it belongs fails.
   */
  hashes(from: number, count: number): Maybe<Uint8Array>;
  /** The same as they were noted when the receipts were stored, where a store has that apart: quicker, for what is new. */
  leaves(from: number, count: number): Maybe<Uint8Array>;
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
  /** Stores a checkpoint, as durable as receipts are. Where one of that size stands it stays, and is the answer. */
  put(checkpoint: NewCheckpoint): Maybe<CheckpointRow>;
  /** When it answers, the checkpoint of this size and the receipts that it covers survive a crash of the machine. */
  sync(size: number): Maybe<void>;
  /** False where the note of that size is not `before`. */
  replaceNote(size: number, before: string, after: string): Maybe<boolean>;
  close(): Maybe<void>;
}

export const hashBytes = 32;

/** Of receipts that follow each other from `from`; one at another place is a gap. Throws StoreFailed. */
export const hashesFrom = (
  from: number,
  rows: readonly { readonly seq: number; readonly hash: string }[],
): Uint8Array => {
  const hashes = Buffer.alloc(rows.length * hashBytes);
  for (const [at, { seq, hash }] of rows.entries()) {
    const isWhole = seq === from + at && /^[0-9a-f]{64}$/.test(hash);
    if (!isWhole) throw new StoreFailed(`receipt ${from + at} is damaged or missing`);
    hashes.write(hash, at * hashBytes, "hex");
  }
  return hashes;
};
