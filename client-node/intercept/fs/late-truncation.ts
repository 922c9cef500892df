import fs from "node:fs";
import { callersWords } from "./callers-words.ts";
import { closeSync, fstatSync, ftruncate, ftruncateSync, lstatSync, openSync } from "./captured.ts";

const { O_CREAT, O_EXCL, O_RDWR, O_TRUNC, O_WRONLY, S_IFDIR, S_IFMT, S_IFREG } = fs.constants;

interface Truncation {
  readonly existed: boolean;
  /** A descriptor for reading, through which nothing can be cut off. */
  readonly isForReading: boolean;
}

/** An open that cuts the file off does so once it is known which file it is. */
export interface LateTruncation {
  readonly flags: unknown;
  /** Null: nothing to cut off. */
  readonly truncates: Truncation | null;
}

/** The flags without the truncation; what Node refuses as flags stays as it is. `judged`: where the path leads. */
export const lateTruncation = (flags: unknown, judged: string | null): LateTruncation => {
  const bits = flags === "w" ? O_WRONLY | O_CREAT | O_TRUNC : flags === "w+" ? O_RDWR | O_CREAT | O_TRUNC : flags;
  if (typeof bits !== "number" || !Number.isInteger(bits) || bits !== (bits | 0)) return { flags, truncates: null };
  if ((bits & O_TRUNC) === 0 || ((bits & O_CREAT) !== 0 && (bits & O_EXCL) !== 0)) return { flags, truncates: null };
  return {
    flags: bits & ~O_TRUNC,
    truncates: { existed: exists(judged), isForReading: (bits & (O_WRONLY | O_RDWR)) === 0 },
  };
};

/** @throws as the open would have */
export const truncateLateSync = (fd: number, { truncates }: LateTruncation, path: unknown): void => {
  if (truncates === null || !hasWhatToCut(fd, truncates)) return;
  try {
    if (truncates.isForReading) truncateBeside(fd);
    else ftruncateSync(fd, 0);
  } catch (error) {
    throw ofOpen(error, fd, path);
  }
};

export const truncateLate = (fd: number, late: LateTruncation, path: unknown, done: (error: unknown) => void): void => {
  const { truncates } = late;
  if (truncates === null || truncates.isForReading || !hasWhatToCut(fd, truncates)) {
    try {
      truncateLateSync(fd, late, path);
    } catch (error) {
      done(error);
      return;
    }
    done(null);
  } else ftruncate(fd, 0, (error) => done(error === null ? null : ofOpen(error, fd, path)));
};

/** `O_RDONLY | O_TRUNC`: Linux cuts off what may be written, and answers a descriptor for reading. */
const truncateBeside = (fd: number): void => closeSync(openSync(beside(fd), O_WRONLY | O_TRUNC));

const beside = (fd: number): string => `/proc/self/fd/${fd}`;

const ofOpen = (error: unknown, fd: number, path: unknown): unknown =>
  callersWords(callersWords(error, "ftruncate", { syscall: "open", path }), `open '${beside(fd)}'`, {
    syscall: "open",
    path,
  });

/** Devices and pipes are not cut off, a folder is refused by Node. An empty file that was there before gets its new time, one that was just made has it. */
const hasWhatToCut = (fd: number, { existed, isForReading }: Truncation): boolean => {
  const { mode, size } = fstatSync(fd);
  const kind = mode & S_IFMT;
  return kind === S_IFREG ? size > 0 || existed : kind === S_IFDIR && isForReading;
};

const exists = (path: string | null): boolean => {
  try {
    return path !== null && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
};
