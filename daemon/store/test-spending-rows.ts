import { expect, test } from "vitest";
import { step } from "./steps.ts";
import type { Store } from "./store.ts";
import { spendingRow } from "./test-transaction-rows.ts";
import { memberCounter, type StoreTx } from "./transaction-rows.ts";

/** What every store does with what calls spend, and with values that are counted once. */
export const describeSpendingRows = (open: () => Store | Promise<Store>): void => {
  const one = async <T>(store: Store, question: (tx: StoreTx) => T | Promise<T>): Promise<T> =>
    await store.transact(function* (tx) {
      return yield* step(question(tx));
    });

  test("spending sums over its window, and is given back", async () => {
    const store = await open();
    const spend = (changes: Parameters<typeof spendingRow>[0]): Promise<void> =>
      one(store, (tx) => tx.spend([spendingRow(changes)]));
    const spent = (since_ms: number, counter = "c1"): Promise<number> =>
      one(store, (tx) => tx.spent(counter, since_ms));
    expect(await spent(0)).toBe(0);
    await spend({ amount: 0.5 });
    await spend({ transaction_id: "tx_2", at_ms: 2_000, amount: 2.25 });
    await spend({ counter: "c2", amount: 100 });
    expect(await spent(0)).toBe(2.75);
    expect(await spent(1_000)).toBe(2.25);
    expect(await spent(0, "c2")).toBe(100);
    // Two limits that count on the same counter.
    await one(store, (tx) =>
      tx.spend([spendingRow({ transaction_id: "tx_3" }), spendingRow({ transaction_id: "tx_3" })]),
    );
    expect(await spent(0)).toBe(4.75);
    await one(store, (tx) => tx.releaseSpending("tx_3"));
    await one(store, (tx) => tx.releaseSpending("tx_1"));
    expect(await spent(0)).toBe(2.25);
    expect(await spent(0, "c2")).toBe(0);
    await store.close();
  });

  test("different members of a counter are counted over their window, each once, and given back", async () => {
    const store = await open();
    const put = (member: string, changes: Parameters<typeof spendingRow>[0] = {}, counter = "c1"): Promise<void> =>
      one(store, (tx) => tx.spend([spendingRow({ ...changes, counter: memberCounter(counter, member) })]));
    const spread = (own: readonly string[], since_ms = 0, counter = "c1"): Promise<number> =>
      one(store, (tx) => tx.spread(counter, since_ms, own));
    expect(await spread(["a"])).toBe(1);
    expect(await spread(["a", "b", "a"])).toBe(2);
    await put("a");
    await put("a", { transaction_id: "tx_2", at_ms: 2_000 });
    await put("b", { transaction_id: "tx_3", at_ms: 3_000 });
    // What only looks like a member of this counter, by its name or by the order of names.
    for (const [at, counter] of ["c", "c1;", "c10", "c2", "C1", "c1/x"].entries())
      await put("z", { transaction_id: `tx_other_${at}`, at_ms: 9_000 }, counter);
    await one(store, (tx) => tx.spend([spendingRow({ transaction_id: "tx_plain" })]));
    expect(await spread(["a", "b"])).toBe(0);
    expect(await spread(["a", "c"])).toBe(3);
    expect(await spread(["c"], 2_000)).toBe(2);
    expect(await spread(["a"], 2_000)).toBe(2);
    expect(await spread(["c"], 3_000)).toBe(1);
    expect(await spread(["a"], 0, "c3")).toBe(1);
    // One of two calls to a member is given back: the other one still stands.
    await one(store, (tx) => tx.releaseSpending("tx_1"));
    expect(await spread(["a"])).toBe(0);
    await one(store, (tx) => tx.releaseSpending("tx_2"));
    expect(await spread(["a"])).toBe(2);
    await one(store, (tx) => tx.deleteExpired(5_000));
    expect(await spread(["a", "b"])).toBe(2);
    await store.close();
  });
};
