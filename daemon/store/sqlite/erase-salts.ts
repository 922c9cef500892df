import type Database from "better-sqlite3";
import { eventPlace } from "../../transactions/places.ts";
import { readJournalTail } from "../journal/tail.ts";
import type { Page } from "../page.ts";
import { parseReceiptLine, receiptLine } from "../receipt-line.ts";
import { StoreFailed } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow, SaltName } from "../store.ts";
import { hasBoxes } from "./boxes.ts";
import { asFailure } from "./failure.ts";
import { openDatabase } from "./open-database.ts";

/**
 * Erases salts of one receipt, and with the one of what was put its call, where that was captured: what a commitment was
 * made over can then no longer be guessed at, and its chain verifies as before. Works beside the daemon. True where there
 * was any. Throws StoreRefused and StoreFailed.
 *
 * The old bytes are overwritten in the database file, and the log is emptied; copies elsewhere (backups, a file system
 * that keeps old blocks) are out of reach.
 */
export const eraseSalts = (directory: StateDirectory, seq: number, names: readonly SaltName[]): boolean => {
  const { db, identity } = openDatabase(directory.ledgerPath, "write");
  try {
    db.pragma("secure_delete = ON");
    const erased = db
      .transaction(() => {
        const hadCall = names.includes("salt") && eraseEvent(db, eventPlace(identity.chain, seq));
        return eraseIn(db, seq, names) || hadCall;
      })
      .immediate();
    db.pragma("wal_checkpoint(TRUNCATE)");
    const waits = (row: ReceiptRow): boolean => row.seq === seq && names.some((name) => row[name] !== null);
    if (!erased && readJournalTail(directory.journalPath).rows.some(waits)) {
      throw new StoreFailed("the receipt is still in the journal; try again once the daemon has settled it");
    }
    return erased;
  } catch (error) {
    throw asFailure(error);
  } finally {
    db.close();
  }
};

const eraseEvent = (db: Database.Database, place: string): boolean => {
  // A ledger of the first release that no daemon of this one has opened yet.
  if (!hasBoxes(db)) return false;
  return db.prepare("DELETE FROM boxes WHERE place = ?").run(place).changes > 0;
};

const eraseIn = (db: Database.Database, seq: number, names: readonly SaltName[]): boolean => {
  const page = db
    .prepare<[number], Page>("SELECT first, last, lines FROM pages WHERE first <= ? ORDER BY first DESC LIMIT 1")
    .get(seq);
  if (page === undefined || seq > page.last) return false;
  const lines = page.lines.split("\n");
  const row = parseReceiptLine(lines[seq - page.first] ?? "");
  if (row?.seq !== seq || names.every((name) => row[name] === null)) return false;
  const left: { -readonly [Key in keyof ReceiptRow]: ReceiptRow[Key] } = { ...row };
  for (const name of names) left[name] = null;
  lines[seq - page.first] = receiptLine(left).slice(0, -1);
  db.prepare("UPDATE pages SET lines = ? WHERE first = ?").run(lines.join("\n"), page.first);
  return true;
};
