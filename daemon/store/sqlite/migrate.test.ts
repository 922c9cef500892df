import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { decision } from "../../ledger/test-records.ts";
import { openAt, temporaryState } from "../../ledger/test-state.ts";
import type { StateDirectory } from "../state-directory.ts";
import { transactionRow } from "../test-transaction-rows.ts";
import { openSqliteStore } from "./open-store.ts";
import { openReceiptReader } from "./read-receipts.ts";

const tablesOf = (state: StateDirectory): readonly string[] => {
  const db = new Database(state.ledgerPath);
  const names = db
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    .pluck()
    .all();
  db.close();
  return names;
};

/** A ledger as the first release wrote it: receipts, and no table of transactions. */
const firstRelease = (): StateDirectory => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([decision(), decision()]);
  ledger.close();
  const db = new Database(state.ledgerPath);
  const later = ["transactions", "claims", "approvals", "spending", "boxes"];
  for (const table of [...later, "leaves", "checkpoints", "pruned", "stops", "used_tokens", "documents"])
    db.exec(`DROP TABLE ${table}`);
  db.pragma("user_version = 1");
  db.close();
  return state;
};

test("a ledger of the first release opens, keeps its receipts and takes transactions", () => {
  const state = firstRelease();
  const { store } = openSqliteStore(state, "process", null);
  expect(store.head().seq).toBe(2);
  store.transact(function* (tx) {
    yield tx.insertTransaction(transactionRow());
  });
  store.close();
  const ledger = openAt(state);
  expect(ledger.append([decision()])).toEqual([{ durable: true, seq: 3 }]);
  ledger.close();
});

test("a migrated ledger has the tables of a new one", () => {
  const state = firstRelease();
  openSqliteStore(state, "process", null).store.close();
  const fresh = temporaryState();
  openSqliteStore(fresh, "process", null).store.close();
  expect(tablesOf(state)).toEqual(tablesOf(fresh));
});

test("who only reads receipts reads those of the first release and changes nothing", () => {
  const state = firstRelease();
  const before = tablesOf(state);
  const reader = openReceiptReader(state);
  expect(reader.newestSeq()).toBe(2);
  reader.close();
  expect(tablesOf(state)).toEqual(before);
});
