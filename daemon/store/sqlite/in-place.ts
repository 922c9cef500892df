import { statSync } from "node:fs";
import { StoreFailed } from "../refused.ts";

/** How often it is looked at: two `stat` calls, some four microseconds, are not for every receipt. */
export const lookAtPlaceEvery_ms = 50;

const fileAt = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "nothing" : `${stats.dev}:${stats.ino}`;
};

/**
 * SQLite goes on writing to a file that was removed or replaced under it, and reports that it is durable: receipts that
 * nobody will ever read. The returned function throws StoreFailed unless the database and its log still lie where they
 * were opened. A file that is put back is taken again.
 *
 * @param path of the database that is open
 * @param now_ms a clock that only rises
 */
export const inPlace = (path: string, now_ms: () => number = () => performance.now()): (() => void) => {
  const opened = fileAt(path);
  let log: string | null = null;
  let lookedAt_ms = Number.NEGATIVE_INFINITY;
  return () => {
    const at_ms = now_ms();
    if (at_ms - lookedAt_ms < lookAtPlaceEvery_ms) return;
    // The log is made with the first write.
    log ??= logOrNull(path);
    if (lookAgain(path, opened, log)) lookedAt_ms = at_ms;
    else throw new StoreFailed("the database was moved, removed or replaced while it was in use");
  };
};

const logOf = (path: string): string => `${path}-wal`;

const logOrNull = (path: string): string | null => {
  const log = fileAt(logOf(path));
  return log === "nothing" ? null : log;
};

const lookAgain = (path: string, opened: string, log: string | null): boolean => {
  try {
    return fileAt(path) === opened && (log === null || fileAt(logOf(path)) === log);
  } catch {
    // A directory that can no longer be entered holds no ledger of ours.
    return false;
  }
};
