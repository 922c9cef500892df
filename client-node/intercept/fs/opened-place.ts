import { fstatSync, lstatSync, readlinkSync } from "./captured.ts";
import { isPath } from "./path-argument.ts";
import { resolvedPath } from "./resolved-path.ts";

const deleted = " (deleted)";

/**
 * Where an open descriptor is. Linux says by what name it was opened, whatever was swapped on the way to it; elsewhere the path is
 * resolved again, and counts where it leads to the same device and inode, which two swaps at the right moments can feign. Null where
 * it cannot be told.
 */
export const openedPlace = (fd: number, path: unknown, judged: string | null): string | null => {
  const name = linkText(`/proc/self/fd/${fd}`);
  if (name === null) return placeByNumbers(fd, path);
  if (name === judged) return judged;
  // A pipe or a socket has no path, only a link of /proc that leads to it.
  if (!name.startsWith("/")) return judged !== null && linkText(judged) === name ? judged : null;
  return name.endsWith(deleted) && !isNamed(name, fd) ? name.slice(0, -deleted.length) : name;
};

const linkText = (path: string): string | null => {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
};

const placeByNumbers = (fd: number, path: unknown): string | null => {
  const place = isPath(path) ? resolvedPath(path, "followed") : null;
  if (place === null) return null;
  // A descriptor of this process under another number: it was judged when it was opened.
  return place.startsWith("/dev/fd/") || isNamed(place, fd) ? place : null;
};

const isNamed = (name: string, fd: number): boolean => {
  try {
    const there = lstatSync(name, { bigint: true });
    const opened = fstatSync(fd, { bigint: true });
    return there.dev === opened.dev && there.ino === opened.ino;
  } catch {
    return false;
  }
};
