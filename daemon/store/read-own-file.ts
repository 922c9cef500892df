import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { codeOf, isOursAlone } from "./state-directory.ts";

/** A file that is there and is not to be used. */
export interface UnusableFile {
  readonly problem: string;
}

/**
 * Reads a small file of the state directory from one descriptor, and judges that descriptor: it is a regular file of ours
 * with mode 0600, and no link. Null where there is none.
 */
export const readOwnFile = (path: string, maxBytes: number): string | UnusableFile | null => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? null : { problem: `cannot open ${path} (${codeOf(error)})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isOursAlone(stats)) return { problem: `${path} must be a file of yours with mode 600` };
    if (stats.size > maxBytes) return { problem: `${path} is larger than ${maxBytes} bytes` };
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(fd, bytes)).toString("utf8");
  } catch (error) {
    return { problem: `cannot read ${path} (${codeOf(error)})` };
  } finally {
    closeSync(fd);
  }
};
