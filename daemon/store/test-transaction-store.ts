import { expect, test } from "vitest";
import { type Steps, step } from "./steps.ts";
import type { NewReceipt, Store } from "./store.ts";
import { describeDocumentRows } from "./test-document-rows.ts";
import { describeSpendingRows } from "./test-spending-rows.ts";
import { approvalRow, claimRow, spendingRow, transactionRow } from "./test-transaction-rows.ts";
import { describeTrustRows } from "./test-trust-rows.ts";
import type { StoreTx } from "./transaction-rows.ts";

const receipt = (seq: number): NewReceipt => ({
  seq,
  receipt: `{"seq":${seq}}`,
  hash: "0".repeat(64),
  salt: null,
  final_salt: null,
  kept: null,
});

const text = (box: Uint8Array | null): string | null => (box === null ? null : Buffer.from(box).toString());

/** What every store of transactions does, embedded or not. `open` gives an empty one. */
export const describeTransactionStore = (open: () => Store | Promise<Store>): void => {
  describeTrustRows(open);
  describeSpendingRows(open);
  describeDocumentRows(open);

  /** One store transaction of a step each. */
  const within = async <T>(store: Store, work: (tx: StoreTx) => Steps<T>): Promise<T> => await store.transact(work);
  const one = <T>(store: Store, question: (tx: StoreTx) => T | Promise<T>): Promise<T> =>
    within(store, function* (tx) {
      return yield* step(question(tx));
    });

  test("receipts and rows of one transaction stand together", async () => {
    const store = await open();
    await within(store, function* (tx) {
      yield* step(tx.insertTransaction(transactionRow()));
      yield* step(tx.insertReceipts([receipt(1), receipt(2)]));
    });
    expect(await store.head()).toMatchObject({ seq: 2 });
    expect(await store.reads.findTransaction("tx_1")).toEqual(transactionRow());
    await store.insert(receipt(3));
    await within(store, (tx) => step(tx.insertReceipts([receipt(4)])));
    expect((await store.find(3))?.receipt).toBe('{"seq":3}');
    expect(await store.head()).toMatchObject({ seq: 4 });
    await store.close();
  });

  test("what throws leaves nothing, and the next goes on", async () => {
    const store = await open();
    await store.insert(receipt(1));
    const failing = async (): Promise<void> =>
      within(store, function* (tx) {
        yield* step(tx.insertTransaction(transactionRow()));
        yield* step(tx.claim(claimRow(), 1_000));
        yield* step(tx.insertReceipts([receipt(2)]));
        throw new RangeError("given up");
      });
    await expect(failing()).rejects.toThrow(new RangeError("given up"));
    expect(await store.reads.findTransaction("tx_1")).toBeNull();
    expect(await store.reads.findClaim("k1")).toBeNull();
    expect(await store.head()).toMatchObject({ seq: 1 });
    await within(store, (tx) => step(tx.insertReceipts([receipt(2)])));
    expect(await store.head()).toMatchObject({ seq: 2 });
    await store.close();
  });

  test("a receipt that is there already is refused with everything beside it", async () => {
    const store = await open();
    await store.insert(receipt(1));
    const again = async (): Promise<void> =>
      within(store, function* (tx) {
        yield* step(tx.insertTransaction(transactionRow()));
        yield* step(tx.insertReceipts([receipt(1)]));
      });
    await expect(again()).rejects.toThrow("the row contradicts the store");
    expect(await store.reads.findTransaction("tx_1")).toBeNull();
    await store.close();
  });

  test("a claim has one holder; an executed one past its time is replaced", async () => {
    const store = await open();
    const claim = (changes: Parameters<typeof claimRow>[0], now_ms: number): Promise<unknown> =>
      one(store, (tx) => tx.claim(claimRow(changes), now_ms));
    expect(await claim({}, 1_000)).toBeNull();
    expect(await claim({ transaction_id: "tx_2" }, 9_000)).toEqual(claimRow());
    const executed = { state: "executed", lease_until_ms: 2_000, expires_ms: 5_000 } as const;
    expect(await one(store, (tx) => tx.changeClaim("k1", "tx_2", executed))).toBe(false);
    expect(await one(store, (tx) => tx.changeClaim("k1", "tx_1", executed))).toBe(true);
    expect(await claim({ transaction_id: "tx_2" }, 4_999)).toEqual(claimRow(executed));
    expect(await claim({ transaction_id: "tx_2" }, 5_000)).toBeNull();
    expect(await one(store, (tx) => tx.releaseClaim("k1", "tx_1"))).toBe(false);
    expect(await one(store, (tx) => tx.releaseClaim("k1", "tx_2"))).toBe(true);
    expect(await store.reads.findClaim("k1")).toBeNull();
    await store.close();
  });

  test("a transaction changes only from where it is said to be, and only in what is named", async () => {
    const store = await open();
    await one(store, (tx) => tx.insertTransaction(transactionRow()));
    const change = { status: "failed", changed_ms: 1_500, error_type: "E" } as const;
    expect(await one(store, (tx) => tx.changeTransaction("tx_1", ["unknown"], change))).toBe(false);
    expect(await one(store, (tx) => tx.changeTransaction("tx_9", ["authorized"], change))).toBe(false);
    expect(await one(store, (tx) => tx.changeTransaction("tx_1", ["unknown", "authorized"], change))).toBe(true);
    expect(await store.reads.findTransaction("tx_1")).toEqual(transactionRow(change));
    expect(await one(store, (tx) => tx.changeTransaction("tx_1", ["failed"], { error_type: null }))).toBe(true);
    expect((await store.reads.findTransaction("tx_1"))?.error_type).toBeNull();
    await store.close();
  });

  test("the open transaction of a call id is the newest that is authorized or unknown", async () => {
    const store = await open();
    const put = (transaction_id: string, status: "authorized" | "unknown" | "executed"): Promise<void> =>
      one(store, (tx) => tx.insertTransaction(transactionRow({ transaction_id, status })));
    expect(await one(store, (tx) => tx.openTransaction("call-1"))).toBeNull();
    await put("tx_1", "unknown");
    await put("tx_2", "authorized");
    await put("tx_3", "executed");
    expect((await one(store, (tx) => tx.openTransaction("call-1")))?.transaction_id).toBe("tx_2");
    await one(store, (tx) => tx.changeTransaction("tx_2", ["authorized"], { status: "executed" }));
    expect((await one(store, (tx) => tx.openTransaction("call-1")))?.transaction_id).toBe("tx_1");
    expect(await one(store, (tx) => tx.openTransaction("call-2"))).toBeNull();
    await store.close();
  });

  test("overdue are the authorized ones whose lease is over, oldest first, as many as asked for", async () => {
    const store = await open();
    for (const [transaction_id, status, lease_until_ms] of [
      ["tx_1", "authorized", 2_000],
      ["tx_2", "unknown", 1_000],
      ["tx_3", "authorized", 1_999],
      ["tx_4", "authorized", 2_001],
    ] as const) {
      await one(store, (tx) => tx.insertTransaction(transactionRow({ transaction_id, status, lease_until_ms })));
    }
    const overdue = async (limit: number): Promise<readonly string[]> =>
      (await one(store, (tx) => tx.overdueTransactions(2_000, limit))).map(({ transaction_id }) => transaction_id);
    expect(await overdue(10)).toEqual(["tx_1", "tx_3"]);
    expect(await overdue(1)).toEqual(["tx_1"]);
    await store.close();
  });

  test("who asked for an approval is found by call id, and changed together until resumed", async () => {
    const store = await open();
    for (const [transaction_id, call_id, status] of [
      ["tx_1", "call-1", "pending_approval"],
      ["tx_2", "call-2", "pending_approval"],
      ["tx_3", "call-3", "blocked"],
    ] as const) {
      const row = transactionRow({ transaction_id, call_id, status, approval_id: "ap_1" });
      await one(store, (tx) => tx.insertTransaction(row));
    }
    const asked = (approval_id: string, call_id: string): Promise<boolean> =>
      one(store, (tx) => tx.hasAsked(approval_id, call_id));
    expect(await asked("ap_1", "call-2")).toBe(true);
    expect(await asked("ap_1", "call-3")).toBe(true);
    expect(await asked("ap_1", "call-4")).toBe(false);
    expect(await asked("ap_2", "call-1")).toBe(false);
    await one(store, (tx) => tx.changeTransaction("tx_1", ["pending_approval"], { resumed_by: "tx_9" }));
    await one(store, (tx) => tx.changeAskers("ap_1", { status: "blocked", changed_ms: 9 }));
    const rows = await store.reads.listTransactions({ status: "all", limit: 10 });
    expect(rows.map(({ status, changed_ms }) => [status, changed_ms])).toEqual([
      ["blocked", 1_000],
      ["blocked", 9],
      ["pending_approval", 1_000],
    ]);
    await store.close();
  });

  test("transactions are listed newest first, by status, as many as asked for", async () => {
    const store = await open();
    for (const [transaction_id, status] of [
      ["tx_1", "executed"],
      ["tx_2", "blocked"],
      ["tx_3", "executed"],
    ] as const) {
      await one(store, (tx) => tx.insertTransaction(transactionRow({ transaction_id, status })));
    }
    const listed = async (status: "all" | "executed", limit: number): Promise<readonly string[]> =>
      (await store.reads.listTransactions({ status, limit })).map(({ transaction_id }) => transaction_id);
    expect(await listed("all", 2)).toEqual(["tx_3", "tx_2"]);
    expect(await listed("executed", 10)).toEqual(["tx_3", "tx_1"]);
    await store.close();
  });

  test("an approval changes from the version that was seen, once", async () => {
    const store = await open();
    await one(store, (tx) => tx.insertApproval(approvalRow()));
    expect(await store.reads.findApproval("ap_1")).toEqual(approvalRow());
    const change = { status: "granted", scope: "exact", match_key: "f1", granted_until_ms: 9_000 } as const;
    expect(await one(store, (tx) => tx.changeApproval("ap_1", 1, change))).toBe(true);
    expect(await one(store, (tx) => tx.changeApproval("ap_1", 1, { status: "denied" }))).toBe(false);
    expect(await store.reads.findApproval("ap_1")).toEqual(approvalRow({ ...change, version: 2 }));
    await store.close();
  });

  test("one request is open for one call", async () => {
    const store = await open();
    await one(store, (tx) => tx.insertApproval(approvalRow()));
    const second = async (): Promise<void> =>
      one(store, (tx) => tx.insertApproval(approvalRow({ approval_id: "ap_2" })));
    await expect(second()).rejects.toThrow("the row contradicts the store");
    await one(store, (tx) => tx.changeApproval("ap_1", 1, { status: "denied" }));
    await second();
    expect((await one(store, (tx) => tx.approvalFor("f1")))?.approval_id).toBe("ap_2");
    await store.close();
  });

  test("the approval for a call is the newest that is pending, granted or denied", async () => {
    const store = await open();
    for (const [approval_id, status] of [
      ["ap_1", "granted"],
      ["ap_2", "denied"],
      ["ap_3", "used"],
      ["ap_4", "revoked"],
      ["ap_5", "expired"],
    ] as const) {
      await one(store, (tx) => tx.insertApproval(approvalRow({ approval_id, status })));
    }
    expect((await one(store, (tx) => tx.approvalFor("f1")))?.approval_id).toBe("ap_2");
    expect(await one(store, (tx) => tx.approvalFor("f2"))).toBeNull();
    await store.close();
  });

  test("standing grants are found by any of their keys while they are granted", async () => {
    const store = await open();
    for (const [approval_id, status, match_key] of [
      ["ap_1", "granted", "s1"],
      ["ap_2", "granted", "s2"],
      ["ap_3", "revoked", "s1"],
      ["ap_4", "granted", null],
    ] as const) {
      await one(store, (tx) => tx.insertApproval(approvalRow({ approval_id, status, match_key })));
    }
    const found = async (keys: readonly string[]): Promise<readonly string[]> =>
      (await one(store, (tx) => tx.standingGrants(keys))).map(({ approval_id }) => approval_id).toSorted();
    expect(await found(["s1", "s2", "s3"])).toEqual(["ap_1", "ap_2"]);
    expect(await found(["s3"])).toEqual([]);
    expect(await found([])).toEqual([]);
    await store.close();
  });

  test("approvals are overdue by the request's time, and once granted by the grant's", async () => {
    const store = await open();
    for (const [approval_id, status, expires_ms, granted_until_ms] of [
      ["ap_1", "pending", 5_000, null],
      ["ap_2", "granted", 1_000, 5_001],
      ["ap_3", "granted", 9_000, 5_000],
      ["ap_4", "denied", 1_000, null],
    ] as const) {
      const row = approvalRow({ approval_id, status, expires_ms, granted_until_ms, fingerprint: approval_id });
      await one(store, (tx) => tx.insertApproval(row));
    }
    const overdue = await one(store, (tx) => tx.overdueApprovals(5_000, 10));
    expect(overdue.map(({ approval_id }) => approval_id)).toEqual(["ap_1", "ap_3"]);
    expect(await one(store, (tx) => tx.overdueApprovals(5_000, 1))).toHaveLength(1);
    await store.close();
  });

  test("approvals that wait are listed oldest first, others newest first", async () => {
    const store = await open();
    for (const [approval_id, status] of [
      ["ap_1", "pending"],
      ["ap_2", "granted"],
      ["ap_3", "pending"],
      ["ap_4", "granted"],
    ] as const) {
      await one(store, (tx) => tx.insertApproval(approvalRow({ approval_id, status, fingerprint: approval_id })));
    }
    const listed = async (status: "pending" | "granted" | "all", limit: number): Promise<readonly string[]> =>
      (await store.reads.listApprovals({ status, limit })).map(({ approval_id }) => approval_id);
    expect(await listed("pending", 9)).toEqual(["ap_1", "ap_3"]);
    expect(await listed("pending", 1)).toEqual(["ap_1"]);
    expect(await listed("granted", 9)).toEqual(["ap_4", "ap_2"]);
    expect(await listed("all", 3)).toEqual(["ap_4", "ap_3", "ap_2"]);
    await store.close();
  });

  test("boxes are found until their time is over, and replaced", async () => {
    const store = await open();
    await one(store, (tx) => tx.putBox("result:tx_1", 5_000, Buffer.from("one")));
    expect(text(await store.reads.findBox("result:tx_1", 4_999))).toBe("one");
    expect(await store.reads.findBox("result:tx_1", 5_000)).toBeNull();
    expect(await store.reads.findBox("result:tx_2", 0)).toBeNull();
    await one(store, (tx) => tx.putBox("result:tx_1", 6_000, Buffer.from("two")));
    expect(text(await store.reads.findBox("result:tx_1", 5_000))).toBe("two");
    await store.close();
  });

  test("what is over is deleted, and nothing else: a held or unknown claim never goes by itself", async () => {
    const store = await open();
    await within(store, function* (tx) {
      yield* step(tx.putBox("a", 5_000, Buffer.from("a")));
      yield* step(tx.putBox("b", 5_001, Buffer.from("b")));
      yield* step(tx.spend([spendingRow(), spendingRow({ transaction_id: "tx_2", expires_ms: 5_001 })]));
      for (const [key, state] of [
        ["held", "held"],
        ["unknown", "unknown"],
        ["over", "executed"],
      ] as const) {
        yield* step(tx.claim(claimRow({ key, state, expires_ms: 5_000 }), 0));
      }
      yield* step(tx.claim(claimRow({ key: "kept", state: "executed", expires_ms: 5_001 }), 0));
      yield* step(tx.deleteExpired(5_000));
    });
    expect(await store.reads.findBox("a", 0)).toBeNull();
    expect(text(await store.reads.findBox("b", 0))).toBe("b");
    expect(await one(store, (tx) => tx.spent("c1", 0))).toBe(1);
    const found = await Promise.all(["held", "unknown", "over", "kept"].map((key) => store.reads.findClaim(key)));
    expect(found.map((claim) => claim !== null)).toEqual([true, true, false, true]);
    await store.close();
  });
};
