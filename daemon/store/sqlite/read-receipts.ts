import type { Collection, DocumentPage } from "../document-rows.ts";
import { readJournalTail } from "../journal/tail.ts";
import { type Page, rowsOf } from "../page.ts";
import type { CheckpointRow, PrunedMark } from "../reader-rows.ts";
import type { ReceiptReader } from "../receipt-reader.ts";
import { StoreRefused } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow } from "../store.ts";
import { boxes, hasBoxes } from "./boxes.ts";
import { documents } from "./documents.ts";
import { asFailure } from "./failure.ts";
import { ledgerExists, openDatabase } from "./open-database.ts";
import { readCheckpoints } from "./read-checkpoints.ts";

/** Pages of one turn. Each turn is a transaction of its own, so that a long read never holds the log back. */
const pagesPerTurn = 16;

/** The reader of an embedded ledger: it answers at once. */
export interface EmbeddedReader extends ReceiptReader {
  checkpoints(from: number, to: number): IterableIterator<CheckpointRow>;
  checkpointThrough(size: number): CheckpointRow | null;
  mark(): PrunedMark | null;
  newestSeq(): number;
  find(seq: number): ReceiptRow | null;
  boxes(places: readonly string[], now_ms: number): ReadonlyMap<string, Uint8Array>;
  keyDigest(): string;
  rows(from: number, to: number): IterableIterator<ReceiptRow>;
  close(): void;
}

/** Throws StoreRefused. */
export const openReceiptReader = (directory: StateDirectory): EmbeddedReader => {
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  const { db, identity } = openDatabase(directory.ledgerPath, "read");
  const newest = db.prepare<[], number>("SELECT last FROM pages ORDER BY first DESC LIMIT 1").pluck();
  const one = db.prepare<[number], Page>(
    "SELECT first, last, lines FROM pages WHERE first <= ? ORDER BY first DESC LIMIT 1",
  );
  // Each page once, by where it begins: one that lies within another is what `one` finds, so whoever verifies has to see it.
  const turn = db.prepare<[number, number], Page>(
    `SELECT first, last, lines FROM pages WHERE first >= ? AND first <= ? ORDER BY first LIMIT ${pagesPerTurn}`,
  );
  /** The page that a receipt lies in. */
  const pageOf = db.prepare<[number], number>("SELECT coalesce(max(first), 0) FROM pages WHERE first <= ?").pluck();
  let stored: ReturnType<typeof boxes>["findBox"] | null = null;
  const checkpoints = readCheckpoints(db);
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw asFailure(error);
    }
  };
  const newestInDatabase = (): number => reading(() => newest.get() ?? 0);
  /** What waits in the journal, after what the database has. */
  const tail = (): readonly ReceiptRow[] => readJournalTail(directory.journalPath).rows;
  let storedDocuments: ReturnType<typeof documents> | null = null;
  const known = (): ReturnType<typeof documents> => {
    storedDocuments ??= documents(db);
    return storedDocuments;
  };
  return Object.freeze({
    chain: identity.chain,
    // The journal first: what leaves it between the two looks is in the database by then.
    newestSeq: () => Math.max(tail().at(-1)?.seq ?? 0, newestInDatabase()),
    find(seq: number) {
      const waiting = tail();
      const page = reading(() => one.get(seq));
      const stored = page === undefined ? undefined : rowsOf(page)[seq - page.first];
      return stored ?? waiting.find((row) => row.seq === seq) ?? null;
    },
    *rows(from: number, to: number) {
      let next = from;
      for (let page = reading(() => pageOf.get(from) ?? 0); ; ) {
        const waiting = tail();
        const pages = reading(() => turn.all(page, to));
        for (const one of pages) {
          // The page that a mark cut in two meanwhile begins later, with receipts that were given already.
          const isCut = one.first < next && checkpoints.mark()?.through === one.first - 1;
          const begin = isCut ? next : from;
          for (const row of rowsOf(one)) if (row.seq >= begin && row.seq <= to) yield row;
          next = Math.max(next, one.last + 1);
        }
        const last = pages.at(-1);
        if (last !== undefined) {
          page = last.first + 1;
          continue;
        }
        // Nothing more in the database: what waits continues it, where the journal was caught whole.
        const rest = waiting.filter(({ seq }) => seq >= next && seq <= to);
        if (rest[0]?.seq === next || next === from) yield* rest;
        return;
      }
    },
    ...checkpoints,
    boxes(places: readonly string[], now_ms: number) {
      const found = new Map<string, Uint8Array>();
      // The journal first, as above.
      const waiting = new Map(readJournalTail(directory.journalPath).changed.flatMap(({ rows }) => [...rows.boxes]));
      return reading(() => {
        if (!hasBoxes(db)) return found;
        stored ??= boxes(db).findBox;
        for (const place of places) {
          const row = waiting.get(place);
          const box = row === undefined ? stored(place, now_ms) : row.expires_ms > now_ms ? row.box : null;
          if (box !== null) found.set(place, box as Uint8Array);
        }
        return found;
      });
    },
    documents: {
      findDocument: (collection: Collection, key: string) => reading(() => known().findDocument(collection, key)),
      listDocuments: (collection: Collection, page: DocumentPage) =>
        reading(() => known().listDocuments(collection, page)),
      documentVersions: (collection: Collection) => reading(() => known().documentVersions(collection)),
    },
    keyDigest: () => identity.keyDigest,
    close: () => void db.close(),
  });
};
