import type Database from "better-sqlite3";
import { eventPlace } from "../../transactions/places.ts";
import { type Page, rowsOf } from "../page.ts";
import { frontierText, type PrunedMark } from "../reader-rows.ts";
import { receiptLine } from "../receipt-line.ts";
import { StoreFailed } from "../refused.ts";

/**
 * Deletes the receipts that a mark stands for, and what lies beside them, within the transaction that is open. The page that
 * the mark ends in keeps its later receipts. Statements are prepared here: this is done once in a long while.
 */
export const pruning = (db: Database.Database, chain: string) => (mark: PrunedMark) => {
  const { through, hash, frontier, time_ms } = mark;
  const page = db
    .prepare<[number], Page>("SELECT first, last, lines FROM pages WHERE first <= ? ORDER BY first DESC LIMIT 1")
    .get(through);
  const rows = page === undefined ? [] : rowsOf(page);
  const last = db.prepare<[], number>("SELECT last FROM pages ORDER BY first DESC LIMIT 1").pluck().get() ?? 0;
  if (page === undefined || rows[through - page.first]?.hash !== hash || last <= through) {
    throw new StoreFailed("the mark contradicts the store");
  }
  db.prepare("INSERT INTO pruned(through, hash, frontier, time_ms) VALUES(?, ?, ?, ?)").run(
    through,
    hash,
    frontierText(frontier),
    time_ms,
  );
  // The salts go too, and not only their place in the file.
  db.pragma("secure_delete = ON");
  db.prepare("DELETE FROM pages WHERE first <= ?").run(through);
  db.prepare("DELETE FROM leaves WHERE first <= ?").run(through);
  const rest = rows.slice(through - page.first + 1);
  if (rest.length > 0) {
    const lines = rest.map(receiptLine).join("");
    db.prepare("INSERT INTO pages(first, last, lines) VALUES(?, ?, ?)").run(through + 1, page.last, lines);
  }
  db.prepare("DELETE FROM kept WHERE seq <= ?").run(through);
  db.prepare("DELETE FROM checkpoints WHERE size < ?").run(through);
  const places = [eventPlace(chain, 0), eventPlace(chain, through)];
  db.prepare("DELETE FROM boxes WHERE place BETWEEN ? AND ?").run(...places);
  db.pragma("secure_delete = FAST");
};
