import type Database from "better-sqlite3";
import {
  type CheckpointReads,
  type CheckpointStore,
  hashBytes,
  hashesFrom,
  type NewCheckpoint,
} from "../checkpoint-rows.ts";
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
  hashes(from: number, count: number): Uint8Array;
  leaves(from: number, count: number): Uint8Array;
}

interface Leaves {
  readonly first: number;
  readonly hashes: Uint8Array;
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
  const leaves = lazily(() =>
    db.prepare<[number, number], Leaves>(
      `SELECT first, hashes FROM leaves WHERE first >= coalesce((SELECT max(first) FROM leaves WHERE first <= ?), 0)
       AND first <= ? ORDER BY first`,
    ),
  );
  const hashes = (from: number, count: number): Uint8Array =>
    reading(() => {
      const to = from + count - 1;
      const rows = pages()
        .all(from, to)
        .flatMap(rowsOf)
        .filter(({ seq }) => seq >= from && seq <= to);
      return hashesFrom(from, rows);
    });
  return Object.freeze({
    newest: () => stored().checkpointThrough(Number.MAX_SAFE_INTEGER),
    find(size: number) {
      const row = stored().checkpointThrough(size);
      return row?.size === size ? row : null;
    },
    through: (size: number) => stored().checkpointThrough(size),
    mark: () => stored().mark(),
    hashes,
    leaves(from: number, count: number) {
      const noted = reading(() => joined(leaves().all(from, from + count - 1), from, count));
      // Pages of an earlier release, and one that a mark cut off, have none.
      return noted.length > 0 ? noted : hashes(from, count);
    },
  });
};

/** What is there of `count` hashes from receipt `from` on, up to the first gap. */
const joined = (rows: readonly Leaves[], from: number, count: number): Uint8Array => {
  const parts: Uint8Array[] = [];
  let next = from;
  for (const { first, hashes } of rows) {
    const part = hashes.subarray((next - first) * hashBytes, (from + count - first) * hashBytes);
    if (first > next || part.length === 0 || part.length % hashBytes !== 0) break;
    parts.push(part);
    next += part.length / hashBytes;
  }
  return Buffer.concat(parts);
};

/** A connection of its own beside the writer's. Throws StoreRefused. */
export const openSqliteCheckpoints = (directory: StateDirectory): CheckpointStore => {
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  const { db, identity } = openDatabase(directory.ledgerPath, "write");
  const assertInPlace = inPlace(directory.ledgerPath);
  db.pragma("synchronous = NORMAL");
  db.pragma("wal_autocheckpoint = 0");
  const reads = checkpointReads(db);
  const last = db.prepare<[], number>("SELECT last FROM pages ORDER BY first DESC LIMIT 1").pluck();
  const insert = lazily(() =>
    db.prepare("INSERT INTO checkpoints(size, time_ms, note) VALUES(?, ?, ?) ON CONFLICT(size) DO NOTHING"),
  );
  const touch = lazily(() => db.prepare("UPDATE checkpoints SET time_ms = time_ms WHERE size = ?"));
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
    sync: (size: number) =>
      reading(() => {
        assertInPlace();
        // A commit under FULL waits for the log, and everything that was stored before is in it or behind it.
        db.pragma("synchronous = FULL");
        try {
          touch().run(size);
        } finally {
          db.pragma("synchronous = NORMAL");
        }
      }),
    replaceNote: (size: number, before: string, after: string) =>
      reading(() => replace().run(after, size, before).changes === 1),
    close: () => void db.close(),
  });
};
