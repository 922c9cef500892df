import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { StoreFailed } from "./refused.ts";
import { codeOf } from "./state-directory.ts";

/**
 * Puts a file of mode 0600 in the place of `path`, whole or not at all: it is written beside it, synced and renamed, so
 * that a crash of the machine leaves the old one or the new one. Throws StoreFailed.
 *
 * @param name what the file is, for the failure's line, which has no path
 */
export const replaceFile = (path: string, text: string, name: string): void => replace(path, text, name, fsyncSync);

/** The same for what can be made again: a crash of the machine may leave neither. */
export const replaceCache = (path: string, text: string, name: string): void =>
  replace(path, text, name, () => undefined);

const replace = (path: string, text: string, name: string, settle: (fd: number) => void): void => {
  const beside = `${path}.new`;
  try {
    // Made anew, so that nothing is written through a link that stands in its place.
    rmSync(beside, { force: true });
    const fd = openSync(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      // A full disk takes a part of a write before it fails.
      if (writeSync(fd, text) !== Buffer.byteLength(text)) throw Object.assign(new Error(), { code: "ENOSPC" });
      settle(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(beside, path);
  } catch (error) {
    throw new StoreFailed(`${name} cannot be written (${codeOf(error)})`);
  }
};
