import type Database from "better-sqlite3";
import { StoreFailed } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import { asFailure } from "./failure.ts";
import { openDatabase } from "./open-database.ts";

/** Pages of the write-ahead log (4 KiB each) that wait for the database file before the writer is made to wait: 64 MiB. */
export const maxWaitingPages = 16_384;

/** How long the writer may be kept waiting for somebody else's reader. */
const holdAtMost_ms = 50;
/** So few pages are moved in a few milliseconds: the writer may be held for them. */
const fewPages = 256;
const chasesAtMost = 6;
export const moveEvery_ms = 1_000;

export interface LogReport {
  /** Pages in the log, and how many of them are in the database file now. */
  readonly logPages: number;
  readonly movedPages: number;
  /** The writer was held for some milliseconds so that the log could start again. */
  readonly heldWriter: boolean;
}

/** Moves receipts from the write-ahead log to the database file, away from the path of an append. */
export interface LogMover {
  /** To be called about once a second from a thread that is not the writer's. Throws StoreFailed. */
  run(): LogReport;
  /** Empties the log as far as nobody reads it, and closes. Never throws: what was not moved is moved at the next start. */
  close(): void;
}

interface Row {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * SQLite calls this a checkpoint; here that word is for what proves the chain (ledger/checkpoints).
 *
 * A passive move waits for nobody and holds nobody. Once it has moved the whole log, the next append starts the
 * log again from its beginning, so the file does not grow. Under a load without a pause new pages arrive while it
 * works, so it never moves the whole (it reports the log as it was when it began). Then, past the bound, passive ones
 * follow each other, each with less to move than the one before, and a restarting one holds the writer for what is left.
 *
 * Our own readers read in short turns (read-receipts.ts). A reader that is not ours and holds the log costs the writer
 * `holdAtMost_ms`, and not again until as many pages more have gathered. Throws StoreRefused.
 */
export const openLogMover = (directory: StateDirectory, maxPages = maxWaitingPages): LogMover => {
  const { db } = openDatabase(directory.ledgerPath, "write");
  db.pragma("synchronous = NORMAL");
  db.pragma("wal_autocheckpoint = 0");
  db.pragma(`busy_timeout = ${holdAtMost_ms}`);
  let holdPast = maxPages;
  return Object.freeze({
    run() {
      let passive = moveLog(db, "PASSIVE");
      if (passive.log <= maxPages) holdPast = maxPages;
      if (passive.log <= holdPast) {
        return { logPages: passive.log, movedPages: passive.checkpointed, heldWriter: false };
      }
      for (let turn = 0; turn < chasesAtMost; turn++) {
        const before = passive.log;
        passive = moveLog(db, "PASSIVE");
        if (passive.log - before < fewPages) break;
      }
      const restarted = moveLog(db, "RESTART");
      if (restarted.busy !== 0) holdPast = passive.log + maxPages;
      return { logPages: restarted.log, movedPages: restarted.checkpointed, heldWriter: true };
    },
    close() {
      try {
        moveLog(db, "TRUNCATE");
      } catch {
        // Receipts that stay in the log are as durable as those that were moved.
      }
      db.close();
    },
  });
};

/**
 * Moves the log every second until the returned function is called, which does it once more. What fails (a full disk)
 * is tried again at the next; receipts wait in the log meanwhile, as durable there. Throws StoreRefused.
 */
export const moveLogNowAndThen = (directory: StateDirectory): (() => void) => {
  const opened = openLogMover(directory);
  const timer = setInterval(() => {
    try {
      opened.run();
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
    }
  }, moveEvery_ms).unref();
  return () => {
    clearInterval(timer);
    opened.close();
  };
};

const moveLog = (db: Database.Database, mode: "PASSIVE" | "RESTART" | "TRUNCATE"): Row => {
  try {
    const [row] = db.pragma(`wal_checkpoint(${mode})`) as Row[];
    return row ?? { busy: 1, log: 0, checkpointed: 0 };
  } catch (error) {
    throw asFailure(error);
  }
};
