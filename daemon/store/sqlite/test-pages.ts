import Database from "better-sqlite3";
import { type Page, rowsOf } from "../page.ts";
import { receiptLine } from "../receipt-line.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow } from "../store.ts";

/** For tests: what somebody does who can write the file. `change` gives the row as it shall be, or null to leave it out. */
export const tamper = (state: StateDirectory, change: (row: ReceiptRow) => ReceiptRow | null): void => {
  const db = new Database(state.ledgerPath, { fileMustExist: true });
  for (const page of db.prepare<[], Page>("SELECT first, last, lines FROM pages ORDER BY first").all()) {
    const rows = rowsOf(page)
      .map(change)
      .filter((row) => row !== null);
    db.prepare("DELETE FROM pages WHERE first = ?").run(page.first);
    if (rows.length === 0) continue;
    const [first, last] = [rows[0]?.seq, rows.at(-1)?.seq];
    db.prepare("INSERT INTO pages VALUES(?, ?, ?)").run(first, last, rows.map(receiptLine).join(""));
  }
  db.close();
};
