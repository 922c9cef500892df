import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { step } from "../steps.ts";
import { approvalRow, claimRow, spendingRow, transactionRow } from "../test-transaction-rows.ts";
import { memberCounter, type StoreTx } from "../transaction-rows.ts";
import { openPostgresStore } from "./open-store.ts";
import { daemonOf, testFolder } from "./test-daemons.ts";

const at_ms = 1_000;

/** Three daemons of one database. */
const daemons = async () => {
  const [address, keys] = [await freshDatabase(), testFolder()];
  const stores: Awaited<ReturnType<typeof openPostgresStore>>["store"][] = [];
  for (let n = 0; n < 3; n++) stores.push((await openPostgresStore(daemonOf(address, keys), null, at_ms)).store);
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
};

type Daemon = Awaited<ReturnType<typeof daemons>>[number];

/** So many times on every daemon, all at once. */
const everywhere = <T>(stores: readonly Daemon[], times: number, work: (store: Daemon, n: number) => Promise<T>) =>
  Promise.all(stores.flatMap((store, at) => Array.from({ length: times }, (_, n) => work(store, at * times + n))));

test("of claims that are taken at once exactly one is", async () => {
  const stores = await daemons();
  const answers = await everywhere(stores, 20, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      return yield* step(tx.claim(claimRow({ transaction_id: `tx_${n}` }), at_ms));
    }),
  );
  const holders = new Set(answers.filter((answer) => answer !== null).map((answer) => answer?.transaction_id));
  expect(answers.filter((answer) => answer === null)).toHaveLength(1);
  expect(holders.size).toBe(1);
});

test("a budget is never overspent by those who look at the same time", async () => {
  const stores = await daemons();
  const taken = await everywhere(stores, 10, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      const before = yield* step(tx.spent("refunds", 0));
      if (before + 30 > 200) return false;
      yield* step(tx.spend([spendingRow({ counter: "refunds", amount: 30, transaction_id: `tx_${n}` })]));
      return true;
    }),
  );
  expect(taken.filter((each) => each)).toHaveLength(6);
});

test("no more different members stand on a counter than may, whoever looks at the same time", async () => {
  const stores = await daemons();
  const taken = await everywhere(stores, 10, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      const host = `host${n % 9}`;
      if ((yield* step(tx.spread("hosts", 0, [host]))) > 4) return null;
      yield* step(tx.spend([spendingRow({ counter: memberCounter("hosts", host), transaction_id: `tx_${n}` })]));
      return host;
    }),
  );
  expect(new Set(taken.filter((host) => host !== null)).size).toBe(4);
});

test("calls that ask for the same approval at once make one request", async () => {
  const stores = await daemons();
  const asked = await everywhere(stores, 10, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      const open = yield* step(tx.approvalFor("f1"));
      if (open !== null) return open.approval_id;
      yield* step(tx.insertApproval(approvalRow({ approval_id: `ap_${n}` })));
      return `ap_${n}`;
    }),
  );
  expect(new Set(asked).size).toBe(1);
});

test("a call id is under way once", async () => {
  const stores = await daemons();
  const begun = await everywhere(stores, 10, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      if ((yield* step(tx.openTransaction("call-1"))) !== null) return false;
      yield* step(tx.insertTransaction(transactionRow({ transaction_id: `tx_${n}`, call_id: "call-1" })));
      return true;
    }),
  );
  expect(begun.filter((each) => each)).toHaveLength(1);
});

test("of two operators who decide at once one is first", async () => {
  const stores = await daemons();
  await stores[0]?.transact(function* (tx) {
    yield* step(tx.insertApproval(approvalRow({ approval_id: "ap_1" })));
  });
  const decided = await everywhere(stores, 5, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      return yield* step(tx.changeApproval("ap_1", 1, { status: n % 2 === 0 ? "granted" : "denied" }));
    }),
  );
  expect(decided.filter((each) => each)).toHaveLength(1);
});

test("transactions that wait for each other are run again, and all of them end", async () => {
  const stores = await daemons();
  let runs = 0;
  const ended = await everywhere(stores, 4, (store, n) =>
    store.transact(function* (tx: StoreTx) {
      runs += 1;
      const order = n % 2 === 0 ? ["a", "b"] : ["b", "a"];
      for (const counter of order) {
        yield* step(tx.spent(counter, 0));
        // Long enough for the other to take its first.
        yield new Promise((resolve) => setTimeout(resolve, 30));
      }
      yield* step(tx.spend([spendingRow({ counter: "a", amount: 1, transaction_id: `tx_${n}` })]));
      return n;
    }),
  );
  expect(ended).toHaveLength(12);
  expect(runs).toBeGreaterThan(12);
  const [first] = stores;
  const spent = await first?.transact(function* (tx) {
    return yield* step(tx.spent("a", 0));
  });
  expect(spent).toBe(12);
}, 60_000);
