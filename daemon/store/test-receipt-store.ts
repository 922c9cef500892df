import { expect, test } from "vitest";
import type { NewReceipt, ReceiptStore } from "./store.ts";
import { receiptRow, receiptRows, strangeName } from "./test-receipt-rows.ts";

const stored = ({ kept: _kept, ...row }: NewReceipt) => row;

/** What every store keeps of store.ts's promises about receipts. @param open a new store, closed by the test. */
export const describeReceiptStore = (open: () => Promise<ReceiptStore>): void => {
  const withStore = async (work: (store: ReceiptStore) => Promise<void>): Promise<void> => {
    const store = await open();
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  test("begins before the first receipt, with a chain of its own", () =>
    withStore(async (store) => {
      expect(store.chain).toMatch(/^[0-9a-f]{32}$/);
      expect(await store.head()).toEqual({ seq: 0, hash: "0".repeat(64) });
      expect(await store.find(1)).toBeNull();
      expect([...(await store.newest(3))]).toEqual([]);
    }));

  test("receipts come back as they were given, by number and newest first", () =>
    withStore(async (store) => {
      await store.insert(receiptRow(1, { salt: null }));
      const rewritten = receiptRow(2, { final_salt: "f".repeat(32) });
      await store.insertAll([rewritten, ...receiptRows(3, 150)]);
      await store.settle();
      expect(await store.head()).toEqual({ seq: 150, hash: receiptRow(150).hash });
      expect(await store.find(1)).toEqual(stored(receiptRow(1, { salt: null })));
      expect(await store.find(2)).toEqual(stored(rewritten));
      expect(await store.find(97)).toEqual(stored(receiptRow(97)));
      expect([...(await store.newest(70))].map(({ seq }) => seq)).toEqual(
        Array.from({ length: 70 }, (_, n) => 150 - n),
      );
    }));

  test("a number is given once, none is left out, and what is refused leaves nothing", () =>
    withStore(async (store) => {
      await store.insertAll(receiptRows(1, 3));
      const refused = async (rows: readonly NewReceipt[]): Promise<void> => {
        await expect((async () => store.insertAll(rows))()).rejects.toMatchObject({
          name: "StoreFailed",
          message: "the row contradicts the store",
        });
        expect((await store.head()).seq).toBe(3);
      };
      await refused([receiptRow(3)]);
      await refused([receiptRow(5)]);
      await refused([receiptRow(4), receiptRow(6)]);
      await refused([receiptRow(4), receiptRow(4)]);
      await store.insertAll([]);
      await store.insertAll(receiptRows(4, 5));
      expect((await store.head()).seq).toBe(5);
    }));

  test("a kept answer is stored with its receipt, counted, and deleted when it is over or too far ahead", () =>
    withStore(async (store) => {
      const box = (length: number) => new Uint8Array(length).fill(7);
      await store.insertAll([
        receiptRow(1, { kept: { expires_ms: 1_000, box: box(10) } }),
        receiptRow(2),
        receiptRow(3, { kept: { expires_ms: 2_000, box: box(20) } }),
        receiptRow(4, { kept: { expires_ms: 9_000_000, box: box(30) } }),
      ]);
      expect(await store.findKept(2)).toBeNull();
      const kept = await store.findKept(3);
      expect(kept?.expires_ms).toBe(2_000);
      expect(Uint8Array.from(kept?.box ?? [])).toEqual(box(20));
      expect(await store.keptBytes()).toBe(60);
      expect(await store.deleteKept(1_000, 60_000)).toBe(2);
      expect(await store.keptBytes()).toBe(20);
      expect(await store.findKept(4)).toBeNull();
    }));

  test("the version of a rule set that was last served", () =>
    withStore(async (store) => {
      expect(await store.served(strangeName)).toBeNull();
      await store.recordServed(strangeName, { version: 1, digest: "sha256:1" });
      await store.recordServed(strangeName, { version: 2, digest: "sha256:2" });
      await store.recordServed("other", { version: 7, digest: "sha256:7" });
      expect(await store.served(strangeName)).toEqual({ version: 2, digest: "sha256:2" });
    }));
};
