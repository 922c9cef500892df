import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { temporaryState } from "../../ledger/test-state.ts";
import { openStore } from "../open-store.ts";
import type { Steps } from "../steps.ts";
import { claimRow, spendingRow, transactionRow } from "../test-transaction-rows.ts";
import { describeTransactionStore } from "../test-transaction-store.ts";
import { openSqliteStore } from "./open-store.ts";
import { lookedAtOnce } from "./sweep.ts";

describe("the database alone", () =>
  describeTransactionStore(() => openSqliteStore(temporaryState(), "process", null).store));

describe("behind a journal", () => describeTransactionStore(() => openStore(temporaryState(), "process", null).store));

test("a step that answers later throws, and the transaction is given up", () => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  const later = (): unknown =>
    store.transact(function* (tx): Steps<void> {
      yield tx.insertTransaction(transactionRow());
      yield Promise.resolve();
    });
  expect(later).toThrow("a step of an embedded store answered later");
  expect(store.reads.findTransaction("tx_1")).toBeNull();
  store.close();
});

test("a transaction inside of a transaction is refused, and both are given up", () => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  const nested = (): unknown =>
    store.transact(function* (tx): Steps<void> {
      yield tx.insertTransaction(transactionRow());
      store.transact(function* (): Steps<void> {});
    });
  expect(nested).toThrow("a transaction of the store is open already");
  expect(store.reads.findTransaction("tx_1")).toBeNull();
  store.close();
});

test("what is over is found however large the tables are, a part with each sweep", () => {
  const state = temporaryState();
  const { store } = openSqliteStore(state, "process", null);
  const count = 2 * lookedAtOnce + 10;
  store.transact(function* (tx) {
    for (let at = 0; at < count; at++) {
      const expires_ms = at % 3 === 0 ? 5_000 : 5_001;
      yield tx.putBox(`place-${at}`, expires_ms, Buffer.from("box"));
      yield tx.claim(claimRow({ key: `key-${at}`, state: "executed", expires_ms }), 0);
      yield tx.spend([spendingRow({ counter: `c${at % 7}`, transaction_id: `tx_${at}`, expires_ms })]);
    }
  });
  const left = (): readonly number[] => {
    const db = new Database(state.ledgerPath, { readonly: true });
    const counts = ["boxes", "claims", "spending"].map(
      (table) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
    );
    db.close();
    return counts;
  };
  const sweep = (): void =>
    void store.transact(function* (tx) {
      yield tx.deleteExpired(5_000);
    });
  sweep();
  const kept = count - Math.ceil(count / 3);
  expect(left().every((rows) => rows > kept && rows < count)).toBe(true);
  for (let round = 0; round < 3; round++) sweep();
  expect(left()).toEqual([kept, kept, kept]);
  store.close();
});

test("no query of the path of a call, and no sweep of what is live, reads a whole table", () => {
  const state = temporaryState();
  openSqliteStore(state, "process", null).store.close();
  const db = new Database(state.ledgerPath);
  const plan = (sql: string): string =>
    db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join();
  for (const sql of [
    "SELECT 1 FROM approvals WHERE fingerprint = 'f' AND status IN ('pending', 'granted', 'denied')",
    "SELECT 1 FROM approvals WHERE match_key = 's' AND status = 'granted'",
    "SELECT 1 FROM transactions WHERE approval_id = 'a' AND call_id = 'c'",
    "UPDATE transactions SET status = 's' WHERE approval_id = 'a' AND status = 'pending_approval' AND resumed_by IS NULL",
    "SELECT 1 FROM transactions WHERE call_id = 'c' AND status IN ('authorized', 'unknown')",
    "SELECT sum(amount) FROM spending WHERE counter = 'c' AND at_ms > 1",
    "DELETE FROM spending WHERE transaction_id = 't'",
    "SELECT 1 FROM boxes WHERE (place) > ('a') ORDER BY place LIMIT 1 OFFSET 999",
    "DELETE FROM spending WHERE (counter, at_ms, transaction_id) > ('c', 1, 't') AND expires_ms <= 1",
  ]) {
    expect(plan(sql)).toMatch(/^SEARCH/);
  }
  db.close();
});
