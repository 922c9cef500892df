import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** One line that names the file, and nothing of what is in it. */
export class FileUnread extends Error {
  override readonly name = "FileUnread";
  readonly why: "missing" | "unreadable" | "too_large";

  constructor(why: FileUnread["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/**
 * All of a regular file, of at most so many bytes, read once and from one descriptor: a pipe or a device in its place is neither
 * waited for nor read, and one that grows meanwhile is not read. Throws `FileUnread`.
 */
export const readRegularFile = async (path: string, maxBytes: number): Promise<Buffer> => {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) throw new FileUnread("unreadable", `${path} is not a regular file`);
    if (stat.size > maxBytes) throw new FileUnread("too_large", `${path} is larger than ${maxBytes} bytes`);
    // A byte more than there was: so it is seen to grow.
    const bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = (await handle.read(bytes, length, bytes.length - length, length)).bytesRead;
    }
    if (length === bytes.length) throw new FileUnread("unreadable", `${path} was changed while it was read`);
    return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof FileUnread) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new FileUnread(code === "ENOENT" ? "missing" : "unreadable", `${path} cannot be read (${code})`);
  } finally {
    await handle?.close();
  }
};
