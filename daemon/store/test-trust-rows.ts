import { expect, test } from "vitest";
import { step } from "./steps.ts";
import type { StopRow } from "./stop-rows.ts";
import type { Store } from "./store.ts";
import type { StoreTx } from "./transaction-rows.ts";

/** What every store does with stops, and with tokens that are shown once. */
export const describeTrustRows = (open: () => Store | Promise<Store>): void => {
  const one = async <T>(store: Store, question: (tx: StoreTx) => T | Promise<T>): Promise<T> =>
    await store.transact(function* (tx) {
      return yield* step(question(tx));
    });

  test("a stop stands until it is ended, once; each by itself", async () => {
    const store = await open();
    const row = (stop_id: string, begun_ms: number): StopRow => ({
      stop_id,
      begun_ms,
      begun_by: "operator:ann",
      reason: "r",
      ended_ms: null,
      ended_by: null,
      end_reason: null,
    });
    expect([await one(store, (tx) => tx.isStopped()), await store.reads.stops(0)]).toEqual([false, []]);
    await one(store, (tx) => tx.beginStop(row("st_1", 1_000)));
    await one(store, (tx) => tx.beginStop(row("st_2", 2_000)));
    const end = { at_ms: 3_000, by: "operator:ben", reason: "over" };
    expect(await one(store, (tx) => tx.endStop("st_1", end))).toBe(true);
    expect(await one(store, (tx) => tx.endStop("st_1", end))).toBe(false);
    expect(await one(store, (tx) => tx.endStop("st_none", end))).toBe(false);
    expect(await store.reads.stops(1_000)).toEqual([row("st_2", 2_000)]);
    expect(await store.reads.stops(999)).toMatchObject([
      { stop_id: "st_1", ended_ms: 3_000, ended_by: "operator:ben", end_reason: "over" },
      { stop_id: "st_2", ended_ms: null },
    ]);
    expect(await one(store, (tx) => tx.endStop("st_2", end))).toBe(true);
    expect(await one(store, (tx) => tx.isStopped())).toBe(false);
    await store.close();
  });

  test("a token is noted once, until its time is over", async () => {
    const store = await open();
    const use = (digest: string): Promise<boolean> => one(store, (tx) => tx.useToken(digest, 1_000));
    expect([await use("a"), await use("a"), await use("b")]).toEqual([true, false, true]);
    await one(store, (tx) => tx.deleteExpired(999));
    expect(await use("a")).toBe(false);
    await one(store, (tx) => tx.deleteExpired(1_000));
    expect(await use("a")).toBe(true);
    await store.close();
  });
};
