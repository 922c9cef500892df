import { expect, test } from "vitest";
import { eventPlace } from "../transactions/places.ts";
import type { PrunedMark } from "./reader-rows.ts";
import { type Steps, step } from "./steps.ts";
import type { Store } from "./store.ts";
import { receiptRow, receiptRows } from "./test-receipt-rows.ts";
import type { StoreTx } from "./transaction-rows.ts";

const mark = (through: number, change: Partial<PrunedMark> = {}): PrunedMark => ({
  through,
  hash: receiptRow(through).hash,
  frontier: ["a".repeat(64)],
  time_ms: 1_000,
  ...change,
});

const prunedBy = (made: PrunedMark) =>
  function* (tx: StoreTx): Steps<void> {
    yield* step(tx.prune(made));
  };

/** What every store keeps of store.ts's promises about receipts that are pruned. @param open a new store, closed by the test. */
export const describePruning = (open: () => Promise<Store>): void => {
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open();
    try {
      await store.insertAll(receiptRows(1, 200));
      await work(store);
    } finally {
      await store.close();
    }
  };
  const stored = async (store: Store): Promise<readonly number[]> =>
    [...(await store.newest(500))].map(({ seq }) => seq).reverse();
  const upFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

  test("the receipts that a mark stands for are gone, and the chain goes on", () =>
    withStore(async (store) => {
      await store.transact(prunedBy(mark(100)));
      expect(await stored(store)).toEqual(upFrom(101, 200));
      expect(await store.find(100)).toBeNull();
      expect((await store.find(101))?.receipt).toBe(receiptRow(101).receipt);
      await store.insert(receiptRow(201));
      await store.transact(prunedBy(mark(150)));
      expect(await stored(store)).toEqual(upFrom(151, 201));
      expect(await store.head()).toEqual({ seq: 201, hash: receiptRow(201).hash });
    }));

  test("what else is done in the transaction stands with it, or neither does", () =>
    withStore(async (store) => {
      const failing = function* (tx: StoreTx): Steps<void> {
        yield* step(tx.prune(mark(100)));
        yield* step(tx.insertReceipts([receiptRow(300)]));
      };
      await expect((async () => store.transact(failing))()).rejects.toThrow();
      expect(await stored(store)).toEqual(upFrom(1, 200));
      await store.transact(function* (tx: StoreTx): Steps<void> {
        yield* step(tx.prune(mark(100)));
        yield* step(tx.insertReceipts([receiptRow(201)]));
      });
      expect(await stored(store)).toEqual(upFrom(101, 201));
    }));

  test.each([
    ["of another receipt", mark(100, { hash: "f".repeat(64) })],
    ["of a receipt that is not there", mark(900)],
    ["of all receipts, the newest among them", mark(200)],
  ])("a mark %s is refused, and nothing is gone", (_what, made) =>
    withStore(async (store) => {
      await expect((async () => store.transact(prunedBy(made)))()).rejects.toMatchObject({
        name: "StoreFailed",
        message: "the mark contradicts the store",
      });
      expect(await stored(store)).toEqual(upFrom(1, 200));
    }),
  );

  test("captured calls go with their receipts, and later ones stay", () =>
    withStore(async (store) => {
      const other = "f".repeat(32);
      const places = [eventPlace(store.chain, 100), eventPlace(store.chain, 101), eventPlace(other, 7)];
      await store.transact(function* (tx: StoreTx): Steps<void> {
        for (const place of places) yield* step(tx.putBox(place, 9_000, new Uint8Array([1])));
      });
      await store.transact(prunedBy(mark(100)));
      const found = await Promise.all(places.map(async (place) => (await store.reads.findBox(place, 0)) !== null));
      expect(found).toEqual([false, true, true]);
    }));
};
