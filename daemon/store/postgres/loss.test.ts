import { expect, onTestFinished, test } from "vitest";
import { type ServiceProxy, startProxy } from "../../../test/kit/services/proxy.ts";
import { step } from "../steps.ts";
import { receiptRow } from "../test-receipt-rows.ts";
import { transactionRow } from "../test-transaction-rows.ts";
import { answerWithin_ms, Connection, lockWithin_ms } from "./connection.ts";
import { openPostgresStore, type PostgresPlace } from "./open-store.ts";
import { freshDaemon } from "./test-daemons.ts";

const at_ms = 1_000;

const opened = async () => {
  const direct = await freshDaemon();
  const proxy: ServiceProxy = await startProxy(direct.address);
  const place: PostgresPlace = { ...direct, address: proxy.url };
  const { store } = await openPostgresStore(place, null, at_ms);
  onTestFinished(() => store.close());
  return { store, proxy, place, direct };
};

type Store = Awaited<ReturnType<typeof opened>>["store"];

/** A receipt and a transaction, together. */
const commit = (store: Store, seq: number): Promise<void> =>
  store.transact(function* (tx) {
    yield* step(tx.insertTransaction(transactionRow({ transaction_id: `tx_${seq}` })));
    yield* step(tx.insertReceipts([receiptRow(seq)]));
  });

/** Tries until the store answers again. */
const again = async <T>(ask: () => Promise<T>): Promise<T> => {
  const last_ms = Date.now() + 15_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > last_ms) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const failed = expect.objectContaining({ name: "StoreFailed" });

test("a COMMIT whose answer is lost: it fails, the head that is read again has it, and the chain goes on", async () => {
  const { store, proxy } = await opened();
  await commit(store, 1);
  const cut = proxy.cutAt("COMMIT", "service");
  await expect(commit(store, 2)).rejects.toEqual(failed);
  await cut;
  expect((await again(() => store.head())).seq).toBe(2);
  expect(await store.reads.findTransaction("tx_2")).not.toBeNull();
  await commit(store, 3);
  expect((await store.head()).seq).toBe(3);
});

test("a COMMIT that never arrives: it fails, nothing of it is stored, and the chain goes on", async () => {
  const { store, proxy } = await opened();
  await commit(store, 1);
  const cut = proxy.cutAt("COMMIT", "nobody");
  await expect(commit(store, 2)).rejects.toEqual(failed);
  await cut;
  expect((await again(() => store.head())).seq).toBe(1);
  expect(await again(() => Promise.resolve(store.reads.findTransaction("tx_2")))).toBeNull();
  await commit(store, 2);
});

test("receipts alone whose answer is lost are found by their head too", async () => {
  const { store, proxy } = await opened();
  await store.insert(receiptRow(1));
  const cut = proxy.cutAt("insert_receipts", "service");
  await expect(store.insert(receiptRow(2))).rejects.toEqual(failed);
  await cut;
  expect((await again(() => store.head())).seq).toBe(2);
  await expect(store.insert(receiptRow(2))).rejects.toThrow("contradicts");
  await store.insert(receiptRow(3));
});

/** A receipt that the server cannot store while `block` stands, and whose connection is lost meanwhile; then `look`. */
const lostWhileBlocked = async (
  { store, proxy, direct }: Awaited<ReturnType<typeof opened>>,
  block: string,
  look: () => Promise<void>,
): Promise<void> => {
  const other = new Connection(direct.address);
  await other.exclusively(async (session) => {
    await session.query(`BEGIN; ${block}`);
    const inserted = store.insert(receiptRow(1)).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await proxy.cut();
    await proxy.restore();
    expect(await inserted).toEqual(failed);
    await look();
    await session.query("ROLLBACK");
  });
  await other.close();
};

test("what a lost connection is still storing is waited for before the head is read again", async () => {
  const all = await opened();
  const { store } = all;
  const sameRow = `INSERT INTO interlock.receipts VALUES('${store.chain}', 1, 1, '{}', 'h')`;
  let told: number | null = null;
  let head: Promise<void> = Promise.resolve();
  await lostWhileBlocked(all, sameRow, async () => {
    head = store.head().then(({ seq }) => {
      told = seq;
    });
    // The server holds the chain for what was lost: nobody may say yet where it ends.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(told).toBeNull();
  });
  await head;
  expect(told).toBe(1);
  await store.insert(receiptRow(2));
}, 30_000);

test("what a lost connection has not begun to store is refused when it begins", async () => {
  const all = await opened();
  const { store } = all;
  await lostWhileBlocked(all, "LOCK TABLE interlock.receipts IN EXCLUSIVE MODE", async () => {
    expect((await again(() => store.head())).seq).toBe(0);
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await store.head()).seq).toBe(0);
  await store.insert(receiptRow(1));
}, 30_000);

test("PostgreSQL is gone: everything fails at once, and goes on without a new start when it is back", async () => {
  const { store, proxy } = await opened();
  await commit(store, 1);
  await proxy.cut();
  for (let turn = 0; turn < 5; turn++) {
    const began_ms = Date.now();
    await expect(commit(store, 2)).rejects.toEqual(failed);
    await expect(store.find(1)).rejects.toEqual(failed);
    expect(Date.now() - began_ms).toBeLessThan(1_000);
  }
  await proxy.restore();
  expect((await again(() => store.head())).seq).toBe(1);
  expect(await again(() => store.find(1))).toMatchObject({ seq: 1 });
  await commit(store, 2);
});

test("a network that swallows everything: it fails within the time, and goes on afterwards", async () => {
  const { store, proxy } = await opened();
  await commit(store, 1);
  proxy.stall();
  const began_ms = Date.now();
  await expect(commit(store, 2)).rejects.toEqual(failed);
  expect(Date.now() - began_ms).toBeLessThan(answerWithin_ms + 1_000);
  await proxy.restore();
  expect((await again(() => store.head())).seq).toBe(1);
  await commit(store, 2);
}, 30_000);

test("a connection that the server ends is made again", async () => {
  const { store, direct } = await opened();
  await commit(store, 1);
  const other = new Connection(direct.address);
  await other.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await other.close();
  expect((await again(() => store.head())).seq).toBe(1);
  await again(() => commit(store, 2));
});

test("a lock that another holds for too long fails the transaction, and the connection goes on", async () => {
  const { store, direct } = await opened();
  await commit(store, 1);
  const other = new Connection(direct.address);
  await other.exclusively(async (session) => {
    await session.query("BEGIN; SELECT 1 FROM interlock.transactions FOR UPDATE");
    const began_ms = Date.now();
    const change = store.transact(function* (tx) {
      return yield* step(tx.changeTransaction("tx_1", ["authorized"], { status: "executed" }));
    });
    await expect(change).rejects.toThrow("waited too long for a lock (55P03)");
    expect(Date.now() - began_ms).toBeLessThan(lockWithin_ms + 1_000);
    await session.query("ROLLBACK");
  });
  await other.close();
  await commit(store, 2);
}, 30_000);

test("a daemon whose chain was opened by another while it was away stores nothing when it is back", async () => {
  const { store, proxy, direct } = await opened();
  await commit(store, 1);
  await proxy.cut();
  const young = await openPostgresStore(direct, null, at_ms);
  await young.store.insert(receiptRow(2));
  await proxy.restore();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect(commit(store, 3)).rejects.toThrow("another daemon has opened this chain");
  expect((await young.store.head()).seq).toBe(2);
  await young.store.close();
});

test("closed, it says so", async () => {
  const { store } = await opened();
  await store.close();
  await expect(store.head()).rejects.toThrow("the store is closed");
});
