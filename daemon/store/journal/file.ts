import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { StoreFailed, StoreRefused } from "../refused.ts";
import { codeOf, isOursAlone } from "../state-directory.ts";

/** The journal's bytes: appended to, and emptied once the database has what it held. */
export interface JournalFile {
  /** All of the text or none of it. Throws StoreFailed. */
  append(text: string): void;
  /** Throws StoreFailed. */
  empty(): void;
  readonly bytes: number;
  close(): void;
}

const failure = (error: unknown): StoreFailed => new StoreFailed(`the journal cannot be written (${codeOf(error)})`);

/**
 * Opens the journal for its one writer, created where it is missing. `sync` waits for the disk with every append.
 * Throws StoreRefused.
 */
export const openJournalFile = (path: string, sync: boolean): JournalFile => {
  const fd = openOurs(path);
  let bytes = fstatSync(fd).size;
  /** A failed append could not be taken back: what lies behind `bytes` is not ours to build on. */
  let torn = false;
  const takeBack = (): void => {
    try {
      ftruncateSync(fd, bytes);
      torn = false;
    } catch {
      torn = true;
    }
  };
  return {
    append(text) {
      if (torn) takeBack();
      if (torn) throw new StoreFailed("the journal cannot be mended");
      const expected = Buffer.byteLength(text);
      try {
        // A full disk takes a part of a write before it fails.
        if (writeSync(fd, text) !== expected) throw Object.assign(new Error(), { code: "ENOSPC" });
        if (sync) fdatasyncSync(fd);
      } catch (error) {
        takeBack();
        throw failure(error);
      }
      bytes += expected;
    },
    empty() {
      try {
        ftruncateSync(fd, 0);
      } catch (error) {
        throw failure(error);
      }
      bytes = 0;
      torn = false;
    },
    get bytes() {
      return bytes;
    },
    close: () => closeSync(fd),
  };
};

const openOurs = (path: string): number => {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new StoreRefused("store_unavailable", `cannot open ${path} (${codeOf(error)})`);
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && isOursAlone(stats)) return fd;
  closeSync(fd);
  throw new StoreRefused("ledger_unsafe", `${path} must be a file of yours with mode 600`);
};

/** What lies in the journal now; empty where there is none. Throws StoreFailed. */
export const readJournal = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw new StoreFailed(`the journal cannot be read (${codeOf(error)})`);
  }
};
