import { closeSync, constants, lstatSync, openSync } from "node:fs";
import type Database from "better-sqlite3";
import { StoreRefused } from "../refused.ts";
import { codeOf, isOursAlone } from "../state-directory.ts";
import { openDriver } from "./driver.ts";

/** Held until released, or until the process is gone: the operating system lets go of it at a kill. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock at `path`, a file of its own that is created with mode 0600 where it is missing; null where another
 * holder has it, in this process or any other. It is an exclusive transaction of an empty SQLite database: file locks
 * that work on every system and end with the process, where a file with a process id in it would outlive it.
 *
 * The file stays when the lock is released: removing it could remove one that somebody else holds by then.
 * Throws StoreRefused (`lock_unavailable`).
 */
export const acquireLock = (path: string): Lock | null => {
  createIfMissing(path);
  let db: Database.Database | null = null;
  try {
    db = openDriver(path, { fileMustExist: true, timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    if (codeOf(error).startsWith("SQLITE_BUSY")) return null;
    throw new StoreRefused("lock_unavailable", `cannot lock ${path} (${codeOf(error)})`);
  }
  const held = db;
  return Object.freeze({ release: () => void held.close() });
};

/**
 * A file that exists is only looked at, never opened: closing it would drop a lock on it that this process holds
 * (POSIX locks belong to the process, not to the descriptor).
 */
const createIfMissing = (path: string): void => {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
    return;
  } catch (error) {
    if (codeOf(error) !== "EEXIST")
      throw new StoreRefused("lock_unavailable", `cannot create ${path} (${codeOf(error)})`);
  }
  const stats = lstatSync(path);
  if (!stats.isFile() || !isOursAlone(stats)) {
    throw new StoreRefused("lock_unavailable", `${path} must be a file of yours with mode 600`);
  }
};
