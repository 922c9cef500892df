import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

// Taken before a guarded process has its builtins replaced: these files are the guard's own.
const [open, stat, read, close] = [openSync, fstatSync, readSync, closeSync];

/** One line that names the file, and nothing of what is in it. */
export class FileUnread extends Error {
  override readonly name = "FileUnread";
  readonly why: "missing" | "unreadable" | "too_large";

  constructor(why: FileUnread["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/** All of a regular file, of at most so many bytes, read once. @throws FileUnread */
export const readRegularFile = (file: string, maxBytes: number): Uint8Array => {
  let descriptor: number | null = null;
  try {
    // A pipe in its place would be waited for.
    descriptor = open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!stat(descriptor).isFile()) throw new FileUnread("unreadable", `${file} is not a regular file`);
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = read(descriptor, bytes, length, bytes.length - length, length);
    }
    if (length > maxBytes) throw new FileUnread("too_large", `${file} is larger than ${maxBytes} bytes`);
    return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof FileUnread) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new FileUnread(code === "ENOENT" ? "missing" : "unreadable", `${file} cannot be read (${code})`);
  } finally {
    if (descriptor !== null) close(descriptor);
  }
};
