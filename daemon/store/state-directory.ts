import { accessSync, constants, lstatSync, mkdirSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { StoreRefused } from "./refused.ts";

/** A directory that only this user can enter, and what lies in it. Made by `openStateDirectory` alone. */
export interface StateDirectory {
  readonly path: string;
  readonly ledgerPath: string;
  /** Receipts that are durable and not yet in the ledger's database. */
  readonly journalPath: string;
  readonly keyPath: string;
  /** The key that signs checkpoints; its public half beside it, as `.pub`. */
  readonly receiptsKeyPath: string;
  /** The newest checkpoint, as a note. */
  readonly checkpointPath: string;
  /** The tree that it is of, so that it can be gone on with. It can be made again from the receipts. */
  readonly treePath: string;
  /** Which chain of a database on a server is this directory's. */
  readonly chainPath: string;
  /** For `acquireLock`: held by whoever has the store open to write. */
  readonly writerLockPath: string;
  /** For `acquireLock`: held by the one daemon that serves from here. */
  readonly lockPath: string;
}

const othersMask = 0o077;

/** Ours, and closed to group and world: the file modes are the boundary (Node has no peer credentials). */
export const isOursAlone = (stats: Stats): boolean =>
  stats.uid === process.getuid?.() && (stats.mode & othersMask) === 0;

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "error";

/**
 * Opens the directory for writing, created with mode 0700 where it is missing (its parent must exist).
 * Throws StoreRefused: `state_directory_unsafe` for a symbolic link, another owner, or group and world access;
 * `state_directory_unwritable` where it cannot be created or written.
 */
export const openStateDirectory = (path: string): StateDirectory => {
  const absolute = resolve(path);
  try {
    mkdirSync(absolute, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw new StoreRefused("state_directory_unwritable", `cannot create ${absolute} (${codeOf(error)})`);
    }
  }
  const directory = findStateDirectory(absolute);
  try {
    accessSync(absolute, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreRefused("state_directory_unwritable", `cannot write to ${absolute} (${codeOf(error)})`);
  }
  return directory;
};

/** The same checks for a reader, which creates nothing. Throws StoreRefused. */
export const findStateDirectory = (path: string): StateDirectory => {
  const absolute = resolve(path);
  let stats: Stats;
  try {
    stats = lstatSync(absolute);
  } catch (error) {
    throw new StoreRefused("state_directory_unwritable", `cannot open ${absolute} (${codeOf(error)})`);
  }
  const refuse = (why: string): never => {
    throw new StoreRefused("state_directory_unsafe", `${absolute} ${why}`);
  };
  if (stats.isSymbolicLink()) refuse("is a symbolic link; name the directory itself");
  if (!stats.isDirectory()) refuse("is not a directory");
  if (stats.uid !== process.getuid?.()) refuse("belongs to another user; use a directory of your own");
  if (!isOursAlone(stats)) refuse("can be entered by group or world; run chmod 700 on it");
  return Object.freeze({
    path: absolute,
    ledgerPath: join(absolute, "ledger.db"),
    journalPath: join(absolute, "receipts.journal"),
    keyPath: join(absolute, "store.key"),
    receiptsKeyPath: join(absolute, "receipts.key"),
    checkpointPath: join(absolute, "checkpoint"),
    treePath: join(absolute, "checkpoint.tree"),
    chainPath: join(absolute, "chain"),
    writerLockPath: join(absolute, "writer.lock"),
    lockPath: join(absolute, "daemon.lock"),
  });
};
