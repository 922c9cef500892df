import { lstatSync, type Stats } from "node:fs";
import type Database from "better-sqlite3";
import { StoreRefused } from "../refused.ts";
import { codeOf, isOursAlone } from "../state-directory.ts";
import { openDriver } from "./driver.ts";
import { asRefusal } from "./failure.ts";
import { oldestSchema } from "./migrate.ts";
import { applicationId, type Identity, readIdentity, schemaVersion } from "./schema.ts";

/** How long a writer waits for another connection (who restarts the log holds it for some milliseconds). */
const busy_ms = 2_000;

/** Is there a file at `path`? A file that is not ours alone, or no file at all (a link, a directory), is refused. */
export const ledgerExists = (path: string): boolean => {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw new StoreRefused("store_unavailable", `cannot open ${path} (${codeOf(error)})`);
  }
  if (!stats.isFile() || !isOursAlone(stats)) {
    throw new StoreRefused("ledger_unsafe", `${path} must be a file of yours with mode 600`);
  }
  // SQLite takes an empty file for a new database; ours is never empty, it is renamed into place when it is whole.
  if (stats.size === 0) throw new StoreRefused("ledger_foreign", `${path} is empty; move it away or restore it`);
  return true;
};

/**
 * Opens an existing ledger and judges it before anything is written. The file is read through SQLite alone: opening
 * and closing it by other means would drop every lock this process holds on it (POSIX locks belong to the process).
 * Throws StoreRefused: `ledger_foreign`, `ledger_version`, `ledger_corrupt`, `store_unavailable`.
 */
export const openDatabase = (
  path: string,
  use: "read" | "write",
): { readonly db: Database.Database; readonly identity: Identity } => {
  let db: Database.Database | null = null;
  try {
    db = openDriver(path, { readonly: use === "read", fileMustExist: true, timeout: busy_ms });
    if (db.pragma("application_id", { simple: true }) !== applicationId) {
      throw new StoreRefused("ledger_foreign", `${path} is not a ledger; move it away or name another directory`);
    }
    const version = db.pragma("user_version", { simple: true });
    if (typeof version !== "number" || version < oldestSchema || version > schemaVersion) {
      const reads = `${oldestSchema} to ${schemaVersion}`;
      throw new StoreRefused("ledger_version", `${path} has schema ${String(version)}, this release reads ${reads}`);
    }
    // What somebody left there would run with every write of ours, long after he can write here no more.
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')").get() !== undefined) {
      throw new StoreRefused("ledger_corrupt", `${path} has a trigger or a view, and no release makes one; restore it`);
    }
    const identity = readIdentity(db);
    if (identity === null) throw new StoreRefused("ledger_corrupt", `${path} has no chain id; restore it`);
    return { db, identity };
  } catch (error) {
    db?.close();
    throw asRefusal(error, path);
  }
};
