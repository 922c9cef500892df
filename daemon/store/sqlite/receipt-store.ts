import type Database from "better-sqlite3";
import type { Head, KeptRow, NewReceipt, ReceiptRow, ReceiptStore, ServedVersion } from "../store.ts";
import { asFailure } from "./failure.ts";
import { inPlace } from "./in-place.ts";

/** `process` survives the death of the process, `power` that of the machine (an fsync with every group). */
export type Durability = "process" | "power";

const beforeFirst: Head = Object.freeze({ seq: 0, hash: "0".repeat(64) });

/**
 * No append waits for a disk in `process`: under NORMAL only a checkpoint and the first write after one sync, and
 * checkpoints run elsewhere (checkpoint.ts). OFF would spare that one too, and could damage the file at a power cut.
 */
const configure = (db: Database.Database, durability: Durability): void => {
  db.pragma("journal_mode = WAL");
  db.pragma(`synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
  db.pragma("wal_autocheckpoint = 0");
  db.pragma("temp_store = MEMORY");
  db.pragma("trusted_schema = OFF");
};

/** Takes over `db` and closes it. */
export const sqliteReceiptStore = (db: Database.Database, chain: string, durability: Durability): ReceiptStore => {
  configure(db, durability);
  const assertInPlace = inPlace(db.name);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const putReceipt = db.prepare("INSERT INTO receipts(seq, receipt, hash, salt) VALUES(?, ?, ?, ?)");
  const putKept = db.prepare("INSERT INTO kept(seq, expires_ms, box) VALUES(?, ?, ?)");
  const getHead = db.prepare<[], Head>("SELECT seq, hash FROM receipts ORDER BY seq DESC LIMIT 1");
  const getReceipt = db.prepare<[number], ReceiptRow>("SELECT seq, receipt, hash, salt FROM receipts WHERE seq = ?");
  const getNewest = db.prepare<[number], ReceiptRow>(
    "SELECT seq, receipt, hash, salt FROM receipts ORDER BY seq DESC LIMIT ?",
  );
  const getKept = db.prepare<[number], KeptRow>("SELECT expires_ms, box FROM kept WHERE seq = ?");
  const dropKept = db.prepare("DELETE FROM kept WHERE expires_ms <= ? OR expires_ms > ?");
  const sumKept = db.prepare<[], number>("SELECT coalesce(sum(length(box)), 0) FROM kept").pluck();
  const getServed = db.prepare<[string], ServedVersion>("SELECT version, digest FROM served WHERE rule_set = ?");
  const putServed = db.prepare(
    "INSERT INTO served(rule_set, version, digest) VALUES(?, ?, ?) " +
      "ON CONFLICT(rule_set) DO UPDATE SET version = excluded.version, digest = excluded.digest",
  );

  const put = (row: NewReceipt): void => {
    putReceipt.run(row.seq, row.receipt, row.hash, row.salt);
    if (row.kept !== null) putKept.run(row.seq, row.kept.expires_ms, row.kept.box);
  };

  /** All of `work` or none of it: whatever throws, COMMIT included, is rolled back. */
  const transact = <T>(work: () => T): T => {
    try {
      begin.run();
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      if (db.inTransaction) rollback.run();
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

  return Object.freeze({
    chain,
    head: () => reading(() => getHead.get() ?? beforeFirst),

    insert(row: NewReceipt) {
      assertInPlace();
      if (row.kept !== null) {
        transact(() => put(row));
        return;
      }
      // Alone, SQLite's own transaction around the statement is a microsecond cheaper than BEGIN and COMMIT.
      try {
        putReceipt.run(row.seq, row.receipt, row.hash, row.salt);
      } catch (error) {
        if (db.inTransaction) rollback.run();
        throw asFailure(error);
      }
    },

    insertAll(rows: readonly NewReceipt[]) {
      assertInPlace();
      transact(() => {
        for (const row of rows) put(row);
      });
    },

    settle: () => undefined,
    find: (seq: number) => reading(() => getReceipt.get(seq) ?? null),
    *newest(count: number) {
      try {
        yield* getNewest.iterate(count);
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
