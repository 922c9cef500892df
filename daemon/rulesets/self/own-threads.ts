import { existsSync } from "node:fs";

/**
 * Linux signals a process by the number of each of its threads, and has a folder in /proc for each, which no listing shows. Threads
 * come and go, so that it is asked when it matters.
 */
export const isOwnThread = (number: number): boolean =>
  Number.isSafeInteger(number) && number > 0 && existsSync(`/proc/self/task/${number}`);

/** The path under the daemon's own number, where it leads through one of its threads. */
export const byProcess = (path: string): string => {
  const [, number, rest] = /^\/proc\/(\d+)(\/.*)?$/s.exec(path) ?? [];
  return number !== undefined && isOwnThread(Number(number)) ? `/proc/${process.pid}${rest ?? ""}` : path;
};
