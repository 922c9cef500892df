import type Database from "better-sqlite3";
import { StoreFailed } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import { asFailure } from "./failure.ts";
import { openDatabase } from "./open-database.ts";

/** Pages of the write-ahead log (4 KiB each) that wait for the database file before the writer is made to wait: 64 MiB. */
export const maxWaitingPages = 16_384;

export const checkpointEvery_ms = 1_000;

export interface CheckpointReport {
  /** Pages in the log, and how many of them are in the database file now. */
  readonly logPages: number;
  readonly movedPages: number;
  /** The writer was held for some milliseconds so that the log could start again. */
  readonly heldWriter: boolean;
}

/** Moves receipts from the write-ahead log to the database file, away from the path of an append. */
export interface Checkpointer {
  /** To be called about once a second from a thread that is not the writer's. Throws StoreFailed. */
  run(): CheckpointReport;
  /** Empties the log as far as nobody reads it, and closes. Never throws: what was not moved is moved at the next start. */
  close(): void;
}

interface Row {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * A passive checkpoint waits for nobody and holds nobody. Once it has moved the whole log, the next append starts the
 * log again from its beginning, so the file does not grow. Under a load without a pause new pages always arrive while
 * it works and it never moves the whole; then, past `maxWaitingPages`, a restarting checkpoint holds the writer for the
 * little that is left. Readers of ours read in short turns (read-receipts.ts), so none can keep the log from starting again for long.
 */
export const openCheckpointer = (directory: StateDirectory): Checkpointer => {
  const { db } = openDatabase(directory.ledgerPath, "write");
  db.pragma("synchronous = NORMAL");
  db.pragma("wal_autocheckpoint = 0");
  return Object.freeze({
    run() {
      const passive = checkpoint(db, "PASSIVE");
      if (passive.log <= maxWaitingPages || passive.log === passive.checkpointed) {
        return { logPages: passive.log, movedPages: passive.checkpointed, heldWriter: false };
      }
      const restarted = checkpoint(db, "RESTART");
      return { logPages: restarted.log, movedPages: restarted.checkpointed, heldWriter: true };
    },
    close() {
      try {
        checkpoint(db, "TRUNCATE");
      } catch {
        // Receipts that stay in the log are as durable as those that were moved.
      }
      db.close();
    },
  });
};

/**
 * Checkpoints every second until the returned function is called, which does the last one. A checkpoint that fails
 * (a full disk) is tried again at the next; receipts wait in the log meanwhile, as durable there. Throws StoreRefused.
 */
export const checkpointer = (directory: StateDirectory): (() => void) => {
  const opened = openCheckpointer(directory);
  const timer = setInterval(() => {
    try {
      opened.run();
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
    }
  }, checkpointEvery_ms).unref();
  return () => {
    clearInterval(timer);
    opened.close();
  };
};

const checkpoint = (db: Database.Database, mode: "PASSIVE" | "RESTART" | "TRUNCATE"): Row => {
  try {
    const [row] = db.pragma(`wal_checkpoint(${mode})`) as Row[];
    return row ?? { busy: 1, log: 0, checkpointed: 0 };
  } catch (error) {
    throw asFailure(error);
  }
};
