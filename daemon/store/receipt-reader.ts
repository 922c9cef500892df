import type { DocumentReads } from "./document-rows.ts";
import { embeddedStore } from "./postgres/address.ts";
import type { CheckpointRow, PrunedMark } from "./reader-rows.ts";
import { openReceiptReader } from "./sqlite/read-receipts.ts";
import { findStateDirectory } from "./state-directory.ts";
import type { Maybe } from "./steps.ts";
import type { ReceiptRow } from "./store.ts";

/** Reads receipts beside a daemon that writes them; it writes nothing itself. Each method throws StoreFailed. */
export interface ReceiptReader {
  /** As the store says; a verifier compares it with what the receipts say. */
  readonly chain: string;
  /** The newest sequence number; 0 where there is none. */
  newestSeq(): Maybe<number>;
  find(seq: number): Maybe<ReceiptRow | null>;
  /** In order, from `from` to `to` inclusive, as far as there are any. */
  rows(from: number, to: number): Iterable<ReceiptRow> | AsyncIterable<ReceiptRow>;
  /** Signed checkpoints of `from` to `to` receipts, in order. */
  checkpoints(from: number, to: number): Iterable<CheckpointRow> | AsyncIterable<CheckpointRow>;
  /** The newest of at most so many receipts; null where there is none. */
  checkpointThrough(size: number): Maybe<CheckpointRow | null>;
  /** What stands for the receipts that were pruned last; null where none ever was. */
  mark(): Maybe<PrunedMark | null>;
  /**
   * Sealed boxes by their places, for receipts that were read before; what expired or is not there is left out. At most
   * `maxBoxesAtOnce`.
   */
  boxes(places: readonly string[], now_ms: number): Maybe<ReadonlyMap<string, Uint8Array>>;
  /** What is known of MCP servers. */
  readonly documents: DocumentReads;
  /** Digest of the key that they are sealed with; null where the store never had one. */
  keyDigest(): Maybe<string | null>;
  close(): Maybe<void>;
}

/** A box is bounded: so many of the largest are some 16 MiB. */
export const maxBoxesAtOnce = 256;

/** Where a daemon's receipts are: its state directory, and its store (settings). */
export interface ReceiptPlace {
  readonly state: string;
  readonly store: string;
}

/** Throws StoreRefused. */
export const openReader = async ({ state, store }: ReceiptPlace): Promise<ReceiptReader> => {
  const directory = findStateDirectory(state);
  if (store === embeddedStore) return openReceiptReader(directory);
  // Its driver is loaded by whoever has a server.
  const { openPostgresReader } = await import("./postgres/read-receipts.ts");
  return openPostgresReader(store, directory);
};
