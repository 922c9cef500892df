import type Database from "better-sqlite3";
import { eventPlace } from "../../transactions/places.ts";
import { readJournalTail } from "../journal/tail.ts";
import { type Page, rowsOf } from "../page.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow } from "../store.ts";
import type { StoreFinding } from "../store-finding.ts";
import { hasBoxes } from "./boxes.ts";
import { asFailure } from "./failure.ts";
import { openDatabase } from "./open-database.ts";
import { readCheckpoints } from "./read-checkpoints.ts";

/** Where the newest receipt ends, and where a receipt before the first would stand. */
interface Range {
  readonly after: number;
  readonly last: number;
}

/** Pages of one turn: each turn reads what a daemon has by then. */
const pagesPerTurn = 16;

/**
 * Looks at an embedded store's own rows and journal; the file itself is checked by SQLite. Beside a running daemon too: what
 * moves from the journal to the database meanwhile is in one of them. Throws StoreRefused and StoreFailed.
 */
export function* checkSqliteStore(directory: StateDirectory): Generator<StoreFinding> {
  const { db, identity } = openDatabase(directory.ledgerPath, "read");
  try {
    const lines = db.pragma("integrity_check(3)") as readonly { readonly integrity_check: string }[];
    if (lines.length !== 1 || lines[0]?.integrity_check !== "ok") {
      yield { problem: "database_damaged", where: "ledger.db" };
      return;
    }
    const journal = readJournalTail(directory.journalPath);
    if (journal.damaged) yield { problem: "journal_damaged", where: "receipts.journal" };
    const range = yield* checkPages(db, readCheckpoints(db).mark()?.through ?? 0);
    const [first] = journal.rows.filter(({ seq }) => seq > range.last);
    if (first !== undefined && first.seq !== range.last + 1) {
      yield { problem: "journal_detached", where: `receipts.journal, receipt ${first.seq}` };
    }
    yield* checkKept(db, range);
    yield* checkEvents(db, identity.chain, { ...range, last: journal.rows.at(-1)?.seq ?? range.last });
  } catch (error) {
    throw asFailure(error);
  } finally {
    db.close();
  }
}

function* checkPages(db: Database.Database, after: number): Generator<StoreFinding, Range> {
  const turn = db.prepare<[number], Page>(
    `SELECT first, last, lines FROM pages WHERE first > ? ORDER BY first LIMIT ${pagesPerTurn}`,
  );
  const noted = hasLeaves(db)
    ? db.prepare<[number], Buffer>("SELECT hashes FROM leaves WHERE first = ?").pluck()
    : null;
  let last = after;
  for (let before = 0; ; ) {
    const pages = turn.all(before);
    for (const page of pages) {
      if (page.first > last + 1) yield { problem: "rows_missing", where: `receipts ${last + 1} to ${page.first - 1}` };
      const rows = rowsOf(page);
      if (page.first <= last || rows.some(({ hash }) => hash === "")) {
        yield { problem: "row_damaged", where: `pages ${page.first}` };
      } else if (!isHashesOf(noted?.get(page.first) ?? null, rows)) {
        yield { problem: "hashes_differ", where: `leaves ${page.first}` };
      }
      last = Math.max(last, page.last);
    }
    const newest = pages.at(-1);
    if (newest === undefined) return { after, last };
    before = newest.first;
  }
}

/** A page of an earlier release, or one that was cut in two, has none noted. */
const isHashesOf = (noted: Buffer | null, rows: readonly ReceiptRow[]): boolean =>
  noted === null || noted.toString("hex") === rows.map(({ hash }) => hash).join("");

const hasLeaves = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'leaves'").get() !== undefined;

function* checkKept(db: Database.Database, { after, last }: Range): Generator<StoreFinding> {
  const rows = db.prepare<[number, number], number>(
    "SELECT seq FROM kept WHERE seq <= ? OR seq > ? ORDER BY seq LIMIT 100",
  );
  for (const seq of rows.pluck().iterate(after, last)) yield { problem: "kept_detached", where: `kept ${seq}` };
}

function* checkEvents(db: Database.Database, chain: string, { after, last }: Range): Generator<StoreFinding> {
  if (!hasBoxes(db)) return;
  const rows = db.prepare<[string, string, string, string], string>(
    "SELECT place FROM boxes WHERE (place BETWEEN ? AND ?) OR (place BETWEEN ? AND ?) LIMIT 100",
  );
  const [before, beyond] = [eventPlace(chain, 0), eventPlace(chain, last + 1)];
  const ends = [before, eventPlace(chain, after), beyond, eventPlace(chain, Number.MAX_SAFE_INTEGER)] as const;
  for (const place of rows.pluck().iterate(...ends)) yield { problem: "event_detached", where: `boxes ${place}` };
}
