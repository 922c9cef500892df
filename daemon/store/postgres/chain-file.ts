import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { StoreRefused } from "../refused.ts";
import { codeOf, isOursAlone } from "../state-directory.ts";

const chainId = /^([0-9a-f]{32})\n$/;
const chainFileBytes = 33;

const pending = (path: string): string => `${path}.new`;

/**
 * Which chain the daemon of a state directory writes: 32 hex digits in a file of its own, so that two daemons of one
 * database never write the same. Null where there is none. Throws StoreRefused.
 */
export const readChainFile = (path: string): string | null => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new StoreRefused("store_unavailable", `cannot open ${path} (${codeOf(error)})`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isOursAlone(stats)) {
      throw new StoreRefused("ledger_unsafe", `${path} must be a file of yours with mode 600`);
    }
    const bytes = Buffer.alloc(chainFileBytes + 1);
    const found = chainId.exec(bytes.subarray(0, readSync(fd, bytes)).toString("latin1"));
    if (found === null) throw new StoreRefused("ledger_corrupt", `${path} names no chain; restore it`);
    return found[1] as string;
  } finally {
    closeSync(fd);
  }
};

/** A chain whose beginning was not finished: it may be in the database or not. */
export const readPendingChainFile = (path: string): string | null => readChainFile(pending(path));

/** Notes a chain that is about to begin; `adoptChainFile` makes it the one of this directory. Throws StoreRefused. */
export const writePendingChainFile = (path: string, chain: string): void => {
  try {
    const fd = openSync(pending(path), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      writeSync(fd, `${chain}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new StoreRefused("store_unavailable", `cannot create ${path} (${codeOf(error)})`);
  }
};

export const adoptChainFile = (path: string): void => renameSync(pending(path), path);
