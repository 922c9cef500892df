import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { decisionReceiptWriter } from "../../ledger/decision-receipt.ts";
import { commitmentTo, receiptHash } from "../../ledger/hash.ts";
import { decision } from "../../ledger/test-records.ts";
import { temporaryState } from "../../ledger/test-state.ts";
import { verifyStore } from "../../ledger/verification/stored-log.ts";
import { nothingExpected } from "../../ledger/verification/test-given.ts";
import { beforeFirst } from "../../ledger/verify.ts";
import { receiptsPerPage, rowsOf } from "../page.ts";
import { receiptLine } from "../receipt-line.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { NewReceipt } from "../store.ts";
import { openSqliteStore } from "./open-store.ts";
import { openReceiptReader } from "./read-receipts.ts";

const pages = 40;
const count = pages * receiptsPerPage;

/** A chain of whole pages, as a daemon stores them. */
const stored = (): { readonly state: StateDirectory; readonly rows: readonly NewReceipt[] } => {
  const state = temporaryState();
  const { store } = openSqliteStore(state, "process", null);
  const write = decisionReceiptWriter(store.chain);
  const put = commitmentTo("arguments", "00".repeat(16), "{}");
  const rows: NewReceipt[] = [];
  for (let prev: { seq: number; hash: string } = beforeFirst; prev.seq < count; ) {
    const receipt = write(decision(), { seq: prev.seq + 1, prev: prev.hash }, { put, final: null });
    prev = { seq: prev.seq + 1, hash: receiptHash(receipt) };
    rows.push({ ...prev, receipt, salt: null, final_salt: null, kept: null });
  }
  store.insertAll(rows);
  store.close();
  return { state, rows };
};

const problemOf = async (state: StateDirectory): Promise<string | null> => {
  const reader = openReceiptReader(state);
  try {
    return (await verifyStore(reader, nothingExpected, null, () => {})).finding?.problem ?? null;
  } finally {
    reader.close();
  }
};

test("a page within another is read too, wherever it lies: what one command shows, the others verify", async () => {
  const { state, rows } = stored();
  expect(await problemOf(state)).toBeNull();
  const db = new Database(state.ledgerPath);
  // A turn reads sixteen pages: around its end, and the last.
  for (const page of [1, 15, 16, 17, 33, pages]) {
    const seq = page * receiptsPerPage - 1;
    const receipt = rows[seq - 1]!.receipt.replace('"verdict":"ALLOW"', '"verdict":"BLOCK"');
    const lines = receiptLine({ ...rows[seq - 1]!, receipt, hash: receiptHash(receipt) });
    db.prepare("INSERT INTO pages(first, last, lines) VALUES(?, ?, ?)").run(seq, seq, lines);
    expect(await problemOf(state), `receipt ${seq}`).toBe(page < pages ? "reordered" : "forked");
    // Behind the last page it hides what was cut off at the end, which a checkpoint tells.
    db.prepare("UPDATE pages SET last = ?, lines = '' WHERE first = ?").run(seq - 1, seq);
    if (page < pages) expect(await problemOf(state), `nothing at ${seq}`).toBe("malformed");
    db.prepare("DELETE FROM pages WHERE first = ?").run(seq);
  }
  db.close();
});

test("a page has no more receipts than lines, whatever it says", async () => {
  const { state } = stored();
  const db = new Database(state.ledgerPath);
  db.prepare("UPDATE pages SET last = 9007199254740991 WHERE first = 1").run();
  db.close();
  expect(rowsOf({ first: 1, last: Number.MAX_SAFE_INTEGER, lines: "" })).toHaveLength(2);
  expect(await problemOf(state)).toBe("malformed");
});
