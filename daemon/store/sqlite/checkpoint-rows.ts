import type Database from "better-sqlite3";
import { type CheckpointReads, type CheckpointStore, hashesFrom, type NewCheckpoint } from "../checkpoint-rows.ts";
import { type Page, rowsOf } from "../page.ts";
import type { CheckpointRow, PrunedMark } from "../reader-rows.ts";
import { StoreFailed, StoreRefused } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import { asFailure } from "./failure.ts";
import { inPlace } from "./in-place.ts";
import { ledgerExists, openDatabase } from "./open-database.ts";
import { readCheckpoints } from "./read-checkpoints.ts";

/** What an embedded store answers at once. */
interface EmbeddedCheckpointReads extends CheckpointReads {
  newest(): CheckpointRow | null;
  find(size: number): CheckpointRow | null;
  mark(): PrunedMark | null;
  hashes(from: number, count: number): readonly string[];
}

/** Statements are prepared when they are first asked for: a daemon's start waits for none that it does not need. */
const lazily = <T>(make: () => T): (() => T) => {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

const reading = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw asFailure(error);
  }
};

export const checkpointReads = (db: Database.Database): EmbeddedCheckpointReads => {
  const stored = lazily(() => reading(() => readCheckpoints(db)));
  // The page that the first lies in, and those after it.
  const pages = lazily(() =>
    db.prepare<[number, number], Page>(
      `SELECT first, last, lines FROM pages WHERE first >= coalesce((SELECT max(first) FROM pages WHERE first <= ?), 0)
       AND first <= ? ORDER BY first`,
    ),
  );
  return Object.freeze({
    newest: () => stored().checkpointThrough(Number.MAX_SAFE_INTEGER),
    find(size: number) {
      const row = stored().checkpointThrough(size);
      return row?.size === size ? row : null;
    },
    through: (size: number) => stored().checkpointThrough(size),
    mark: () => stored().mark(),
    hashes: (from: number, count: number) =>
      reading(() => {
        const to = from + count - 1;
        const rows = pages()
          .all(from, to)
          .flatMap(rowsOf)
          .filter(({ seq }) => seq >= from && seq <= to);
        return hashesFrom(from, rows);
      }),
  });
};

/**
 * A connection of its own beside the writer's. It syncs the log with each commit (`FULL`): what it stores is on the disk
 * when it answers, and so is every receipt that was stored before, because both are in one log. Throws StoreRefused.
 */
export const openSqliteCheckpoints = (directory: StateDirectory): CheckpointStore => {
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  const { db, identity } = openDatabase(directory.ledgerPath, "write");
  const assertInPlace = inPlace(directory.ledgerPath);
  db.pragma("synchronous = FULL");
  db.pragma("wal_autocheckpoint = 0");
  const reads = checkpointReads(db);
  const last = db.prepare<[], number>("SELECT last FROM pages ORDER BY first DESC LIMIT 1").pluck();
  const insert = lazily(() =>
    db.prepare("INSERT INTO checkpoints(size, time_ms, note) VALUES(?, ?, ?) ON CONFLICT(size) DO NOTHING"),
  );
  const replace = lazily(() => db.prepare("UPDATE checkpoints SET note = ? WHERE size = ? AND note = ?"));
  return Object.freeze({
    ...reads,
    chain: identity.chain,
    newestSeq: () => reading(() => last.get() ?? 0),
    put: ({ size, time_ms, note }: NewCheckpoint) =>
      reading(() => {
        assertInPlace();
        insert().run(size, time_ms, note);
        const standing = reads.find(size);
        if (standing === null) throw new StoreFailed("the checkpoint was not stored");
        return standing;
      }),
    replaceNote: (size: number, before: string, after: string) =>
      reading(() => replace().run(after, size, before).changes === 1),
    close: () => void db.close(),
  });
};
