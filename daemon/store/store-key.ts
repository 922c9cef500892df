import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { StoreRefused } from "./refused.ts";
import { codeOf, isOursAlone } from "./state-directory.ts";

export const storeKeyBytes = 32;

/**
 * Reads the key that seals kept answers; null where there is none. A key that group or world can read, that is a
 * symbolic link, or that has another length is refused. Throws StoreRefused.
 */
export const readStoreKey = (path: string): Uint8Array | null => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new StoreRefused("store_key_unsafe", `cannot open ${path} (${codeOf(error)})`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isOursAlone(stats)) {
      throw new StoreRefused("store_key_unsafe", `${path} must be a file of yours with mode 600`);
    }
    const bytes = new Uint8Array(storeKeyBytes + 1);
    if (readSync(fd, bytes) !== storeKeyBytes) {
      throw new StoreRefused("store_key_invalid", `${path} is not a key of ${storeKeyBytes} bytes; restore it`);
    }
    return bytes.slice(0, storeKeyBytes);
  } finally {
    closeSync(fd);
  }
};

/** Writes a new key beside `path`, on disk before it returns; `adoptStoreKey` puts it in its place. */
export const writePendingStoreKey = (path: string, key: Uint8Array): void => {
  const fd = openSync(pendingStoreKey(path), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(fd, key);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

export const pendingStoreKey = (path: string): string => `${path}.new`;

export const adoptStoreKey = (path: string): void => renameSync(pendingStoreKey(path), path);
