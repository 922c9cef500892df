import { expect, test } from "vitest";
import { step } from "./steps.ts";
import type { Store } from "./store.ts";
import { strangeName } from "./test-receipt-rows.ts";
import { approvalRow, claimRow, spendingRow, transactionRow } from "./test-transaction-rows.ts";

/** What every store gives back: what it was given, to the byte. `open` gives an empty one. */
export const describeTransactionColumns = (open: () => Store | Promise<Store>): void => {
  test("every column of every row comes back as it was given, whatever is in a name", async () => {
    const store = await open();
    const long = strangeName.repeat(400);
    const transaction = transactionRow({
      call_id: long,
      action: strangeName,
      principal: long,
      parent_principal: strangeName,
      effect: "idempotent",
      approval_id: "ap_1",
      resumed_from: "tx_0",
      resumed_by: "tx_2",
      error_type: strangeName,
    });
    const approval = approvalRow({
      status: "granted",
      call_id: long,
      principal: null,
      reason: strangeName,
      votes: JSON.stringify([{ operator: strangeName }]),
      scope: "shape",
      match_key: "m1",
      granted_until_ms: 9_007_199_254_740_991,
      decided_by: `operator:${strangeName}`,
      used_by: "tx_9",
    });
    const claim = claimRow({ key: strangeName, state: "unknown" });
    await store.transact(function* (tx) {
      yield* step(tx.insertTransaction(transaction));
      yield* step(tx.insertApproval(approval));
      yield* step(tx.claim(claim, 0));
      yield* step(tx.spend([spendingRow({ counter: strangeName, amount: 0.1 })]));
      yield* step(tx.putBox(strangeName, 1, Uint8Array.of(0, 255)));
    });
    expect(await store.reads.findTransaction("tx_1")).toEqual(transaction);
    expect(await store.transact((tx) => step(tx.openTransaction(long)))).toEqual(transaction);
    expect(await store.reads.findApproval("ap_1")).toEqual(approval);
    expect(await store.reads.findClaim(strangeName)).toEqual(claim);
    expect(await store.transact((tx) => step(tx.spent(strangeName, 0)))).toBe(0.1);
    expect([...((await store.reads.findBox(strangeName, 0)) ?? [])]).toEqual([0, 255]);
    await store.close();
  });
};
