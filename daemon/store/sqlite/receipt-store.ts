import type Database from "better-sqlite3";
import { type ChangedRows, hasNone, noChangedRows } from "../changed-rows.ts";
import {
  assertConsecutive,
  type NewPage,
  type Page,
  type PagedStore,
  pagesOf,
  rowsOf,
  type Settling,
} from "../page.ts";
import { StoreFailed } from "../refused.ts";
import { runStepsNow, type Steps } from "../steps.ts";
import type { Head, KeptRow, NewReceipt, ServedVersion } from "../store.ts";
import type { ClaimRow, StoreTx, TransactionRow } from "../transaction-rows.ts";
import { checkpointReads } from "./checkpoint-rows.ts";
import { asFailure } from "./failure.ts";
import { inPlace } from "./in-place.ts";
import { putRows } from "./put-rows.ts";
import { type Rows, transactionReads, transactionStore } from "./transaction-store.ts";

/** `process` survives the death of the process, `power` that of the machine (an fsync with every group). */
export type Durability = "process" | "power";

const beforeFirst: Head = Object.freeze({ seq: 0, hash: "0".repeat(64) });

/**
 * No append waits for a disk in `process`: under NORMAL only moving the log and the first write after it sync, and
 * the log is moved elsewhere (log-mover.ts). OFF would spare that one too, and could damage the file at a power cut.
 */
const configure = (db: Database.Database, durability: Durability): void => {
  db.pragma("journal_mode = WAL");
  db.pragma(`synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
  db.pragma("wal_autocheckpoint = 0");
  db.pragma("temp_store = MEMORY");
  // 16 MiB: claims are found by keys that are spread over all pages.
  db.pragma("cache_size = -16384");
  db.pragma("trusted_schema = OFF");
  // A row that the database moves leaves no copy behind: a salt that is erased later would still be in it. No page is written for it.
  db.pragma("secure_delete = FAST");
};

/** Takes over `db` and closes it. */
export const sqliteReceiptStore = (db: Database.Database, chain: string, durability: Durability): PagedStore => {
  configure(db, durability);
  const assertInPlace = inPlace(db.name);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const putPage = db.prepare("INSERT INTO pages(first, last, lines) VALUES(?, ?, ?)");
  const putLeaves = db.prepare("INSERT OR REPLACE INTO leaves(first, hashes) VALUES(?, ?)");
  const putKept = db.prepare("INSERT INTO kept(seq, expires_ms, box) VALUES(?, ?, ?)");
  const getLast = db.prepare<[], number>("SELECT last FROM pages ORDER BY first DESC LIMIT 1").pluck();
  const getNewest = db.prepare<[], Page>("SELECT first, last, lines FROM pages ORDER BY first DESC");
  const getPage = db.prepare<[number], Page>(
    "SELECT first, last, lines FROM pages WHERE first <= ? ORDER BY first DESC LIMIT 1",
  );
  const getKept = db.prepare<[number], KeptRow>("SELECT expires_ms, box FROM kept WHERE seq = ?");
  const dropKept = db.prepare("DELETE FROM kept WHERE expires_ms <= ? OR expires_ms > ?");
  const sumKept = db.prepare<[], number>("SELECT coalesce(sum(length(box)), 0) FROM kept").pluck();
  const getServed = db.prepare<[string], ServedVersion>("SELECT version, digest FROM served WHERE rule_set = ?");
  const putServed = db.prepare(
    "INSERT INTO served(rule_set, version, digest) VALUES(?, ?, ?) " +
      "ON CONFLICT(rule_set) DO UPDATE SET version = excluded.version, digest = excluded.digest",
  );

  /** Pages continue what is stored: a place is given once, and none is left out. */
  const putPages = (pages: readonly NewPage[]): void => {
    let before = getLast.get() ?? 0;
    for (const { first, last, lines, hashes } of pages) {
      if (first !== before + 1) throw new StoreFailed("the row contradicts the store");
      putPage.run(first, last, lines);
      putLeaves.run(first, Buffer.from(hashes, "hex"));
      before = last;
    }
  };

  /** Prepared when the first call asks for them: a daemon's start does not wait for it. */
  let prepared: Rows | null = null;

  /** All of `work` or none of it: whatever throws, COMMIT included, is rolled back. */
  const transact = <T>(work: () => T): T => {
    // A transaction inside of one would roll back the outer one, whose caller goes on.
    if (db.inTransaction) throw new TypeError("a transaction of the store is open already");
    try {
      assertInPlace();
      begin.run();
      const done = work();
      commit.run();
      return done;
    } catch (error) {
      if (db.inTransaction) rollback.run();
      prepared?.rolledBack();
      throw asFailure(error);
    }
  };

  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw asFailure(error);
    }
  };

  const putReceipts = (receipts: readonly NewReceipt[]): void => {
    assertConsecutive(receipts, getLast.get() ?? 0);
    putPages(pagesOf(receipts));
    for (const { seq, kept } of receipts) if (kept !== null) putKept.run(seq, kept.expires_ms, kept.box);
  };
  const insertAll = (receipts: readonly NewReceipt[]): void => transact(() => putReceipts(receipts));

  const rows = (): Rows => {
    prepared ??= transactionStore(db, chain, putReceipts);
    return prepared;
  };
  let put: ((rows: ChangedRows) => void) | null = null;
  const putSettled = ({ pages, rows: changed }: Settling): void => {
    putPages(pages);
    if (hasNone(changed)) return;
    put ??= putRows(db);
    put(changed);
    if (changed.spending.size > 0) rows().putSpending(changed.spending.values());
  };
  const transactAfter = <T>(settled: Settling, work: (tx: StoreTx) => Steps<T>): T =>
    transact(() => {
      putSettled(settled);
      return runStepsNow(work(rows().tx));
    });
  const nothing: Settling = { pages: [], rows: noChangedRows };

  return Object.freeze({
    chain,
    checkpoints: checkpointReads(db),
    head() {
      const page = reading(() => getPage.get(Number.MAX_SAFE_INTEGER));
      const newest = page === undefined ? undefined : rowsOf(page).at(-1);
      return newest === undefined ? beforeFirst : { seq: newest.seq, hash: newest.hash };
    },
    insert: (receipt: NewReceipt) => insertAll([receipt]),
    insertAll,
    insertSettled: (settled: Settling) => transact(() => putSettled(settled)),
    transactAfter,
    transact: <T>(work: (tx: StoreTx) => Steps<T>): T => transactAfter(nothing, work),
    rows: {
      findClaim: (key: string) => reading(() => rows().tx.findClaim(key) as ClaimRow | null),
      findTransaction: (id: string) => reading(() => rows().tx.findTransaction(id) as TransactionRow | null),
      openTransaction: (id: string) => reading(() => rows().tx.openTransaction(id) as TransactionRow | null),
      findBox: (place: string, now_ms: number) => reading(() => rows().tx.findBox(place, now_ms) as Uint8Array | null),
      spent: (counter: string, since_ms: number) => reading(() => rows().tx.spent(counter, since_ms) as number),
    },
    reads: transactionReads(() => rows().tx),
    settle: () => undefined,
    find(seq: number) {
      const page = reading(() => getPage.get(seq));
      return page === undefined ? null : (rowsOf(page)[seq - page.first] ?? null);
    },
    *newest(count: number) {
      let left = count;
      try {
        for (const page of getNewest.iterate()) {
          for (const row of rowsOf(page).toReversed()) {
            if (left-- <= 0) return;
            yield row;
          }
        }
      } catch (error) {
        throw asFailure(error);
      }
    },
    findKept: (seq: number) => reading(() => getKept.get(seq) ?? null),
    deleteKept: (now_ms: number, longest_ms: number) =>
      reading(() => dropKept.run(now_ms, now_ms + longest_ms).changes),
    keptBytes: () => reading(() => sumKept.get() ?? 0),
    served: (ruleSet: string) => reading(() => getServed.get(ruleSet) ?? null),
    recordServed: (ruleSet: string, served: ServedVersion) =>
      reading(() => void putServed.run(ruleSet, served.version, served.digest)),
    close: () => void db.close(),
  });
};
