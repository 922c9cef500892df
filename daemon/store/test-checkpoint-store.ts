import { expect, test } from "vitest";
import type { CheckpointStore } from "./checkpoint-rows.ts";
import type { Maybe } from "./steps.ts";
import type { ReceiptStore } from "./store.ts";
import { receiptRow, receiptRows } from "./test-receipt-rows.ts";

/** The store of a daemon, and the connection beside it that checkpoints are made over. */
export interface BothStores {
  readonly receipts: ReceiptStore;
  readonly checkpoints: CheckpointStore;
}

const rowOf = (size: number, note = `note of ${size}\n`) => ({ size, note });
const checkpoint = (size: number, note?: string) => ({ ...rowOf(size, note), time_ms: size * 10 });
/** 64 hex digits each. */
const hexOf = async (hashes: Maybe<Uint8Array>): Promise<readonly string[]> =>
  Buffer.from(await hashes)
    .toString("hex")
    .match(/.{64}/g) ?? [];
const hashOf = (seq: number): string => receiptRow(seq).hash;

/** What every store keeps of checkpoint-rows.ts's promises. @param open a new store, closed by the test. */
export const describeCheckpointStore = (open: () => Promise<BothStores>): void => {
  const withStores = async (work: (stores: BothStores) => Promise<void>): Promise<void> => {
    const stores = await open();
    try {
      await work(stores);
    } finally {
      await stores.checkpoints.close();
      await stores.receipts.close();
    }
  };

  test("begins without checkpoints, marks and receipts, on the same chain", () =>
    withStores(async ({ receipts, checkpoints }) => {
      expect(checkpoints.chain).toBe(receipts.chain);
      expect(await checkpoints.newest()).toBeNull();
      expect(await checkpoints.find(1)).toBeNull();
      expect(await checkpoints.mark()).toBeNull();
      expect(await checkpoints.newestSeq()).toBe(0);
      expect(await hexOf(checkpoints.hashes(1, 10))).toEqual([]);
      expect(await hexOf(checkpoints.leaves(1, 10))).toEqual([]);
    }));

  test("hashes come in order from any number, as far as there are any", () =>
    withStores(async ({ receipts, checkpoints }) => {
      await receipts.insertAll(receiptRows(1, 150));
      await receipts.settle();
      expect(await checkpoints.newestSeq()).toBe(150);
      for (const read of [checkpoints.hashes, checkpoints.leaves]) {
        expect(await hexOf(read(1, 1))).toEqual([hashOf(1)]);
        expect(await hexOf(read(60, 70))).toEqual(Array.from({ length: 70 }, (_, at) => hashOf(60 + at)));
        expect(await hexOf(read(150, 5))).toEqual([hashOf(150)]);
        expect(await hexOf(read(151, 5))).toEqual([]);
      }
    }));

  test("a checkpoint is stored once, is found by its size, and is seen by the writer of the chain", () =>
    withStores(async ({ receipts, checkpoints }) => {
      await receipts.insertAll(receiptRows(1, 9));
      await receipts.settle();
      expect(await checkpoints.put(checkpoint(4))).toEqual(rowOf(4));
      expect(await checkpoints.put(checkpoint(9))).toEqual(rowOf(9));
      expect(await checkpoints.put(checkpoint(4, "another\n"))).toEqual(rowOf(4));
      for (const reads of [checkpoints, receipts.checkpoints]) {
        expect(await reads.newest()).toEqual(rowOf(9));
        expect(await reads.find(4)).toEqual(rowOf(4));
        expect(await reads.find(5)).toBeNull();
      }
    }));

  test("a note is replaced where it still is the one that was read", () =>
    withStores(async ({ checkpoints }) => {
      await checkpoints.put(checkpoint(3));
      expect(await checkpoints.replaceNote(3, "another\n", "more\n")).toBe(false);
      expect(await checkpoints.replaceNote(3, checkpoint(3).note, "more\n")).toBe(true);
      expect(await checkpoints.find(3)).toEqual(rowOf(3, "more\n"));
      expect(await checkpoints.replaceNote(4, "", "more\n")).toBe(false);
    }));
};
