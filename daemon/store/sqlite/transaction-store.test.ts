import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { temporaryState } from "../../ledger/test-state.ts";
import { openStore } from "../open-store.ts";
import type { Steps } from "../steps.ts";
import { transactionRow } from "../test-transaction-rows.ts";
import { describeTransactionStore } from "../test-transaction-store.ts";
import { openSqliteStore } from "./open-store.ts";

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
    "SELECT 1 FROM transactions WHERE approval_id = 'a' AND call_id = 'c' AND status = 'pending_approval'",
    "SELECT 1 FROM transactions WHERE call_id = 'c' AND status IN ('authorized', 'unknown')",
    "SELECT sum(amount) FROM spending WHERE counter = 'c' AND at_ms > 1",
    "DELETE FROM spending WHERE transaction_id = 't'",
  ]) {
    expect(plan(sql)).toMatch(/^SEARCH/);
  }
  db.close();
});
