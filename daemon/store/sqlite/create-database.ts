import { closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { openDriver } from "./driver.ts";
import { createSchema, type Identity } from "./schema.ts";

/**
 * Creates a whole, empty ledger beside `path` and renames it into place, so that a crash leaves either none or a whole
 * one. Nothing is ever overwritten: the caller has seen that `path` does not exist, and holds the directory's lock.
 */
export const createDatabase = (path: string, identity: Identity): void => {
  const building = `${path}.new`;
  for (const leftover of [building, `${building}-journal`, `${building}-wal`, `${building}-shm`]) {
    rmSync(leftover, { force: true });
  }
  closeSync(openSync(building, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
  const db = openDriver(building, { fileMustExist: true });
  try {
    db.pragma("page_size = 4096");
    db.pragma("synchronous = FULL");
    createSchema(db, identity);
    // Written into the header, so a reader that comes first already finds a WAL database.
    db.pragma("journal_mode = WAL");
  } finally {
    db.close();
  }
  if (existsSync(path)) throw new Error("a ledger appeared while one was being created");
  renameSync(building, path);
  const directory = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};
