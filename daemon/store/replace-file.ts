import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StoreFailed } from "./refused.ts";
import { codeOf } from "./state-directory.ts";

/**
 * Puts a file of mode 0600 in the place of `path`, whole or not at all: it is written beside it, synced and renamed, and
 * the directory is synced, so that a crash of the machine leaves the old one or the new one. Throws StoreFailed.
 *
 * @param name what the file is, for the failure's line, which has no path
 */
export const replaceFile = (path: string, text: string, name: string): void => {
  const beside = `${path}.new`;
  try {
    // Made anew, so that nothing is written through a link that stands in its place.
    rmSync(beside, { force: true });
    const fd = openSync(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      // A full disk takes a part of a write before it fails.
      if (writeSync(fd, text) !== Buffer.byteLength(text)) throw Object.assign(new Error(), { code: "ENOSPC" });
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(beside, path);
    const directory = openSync(dirname(path), constants.O_RDONLY);
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch (error) {
    throw new StoreFailed(`${name} cannot be written (${codeOf(error)})`);
  }
};
