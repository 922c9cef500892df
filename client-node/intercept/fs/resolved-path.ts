import { constants } from "node:fs";
import { lstatSync, readlinkSync, realpathNative } from "./captured.ts";

/** Does the call act on the symbolic link itself, or on what it leads to? */
export type LastName = "followed" | "kept";

/** The kernel takes no longer one (PATH_MAX is 4096 on Linux, 1024 on macOS). */
const longestPath_bytes = 4096;
const { S_IFMT, S_IFLNK } = constants;

/** As many links as Linux follows in one path. */
const mostLinks = 40;

/**
 * The path that the kernel will use, as text: absolute, without `.`, `..` and symbolic links in any parent that exists (`/proc/self/root` and its like are
 * links too), and without one at its end where the call follows it. What does not exist yet is appended as written. Null
 * where there is no working directory to start from. Bytes that are not UTF-8 become U+FFFD in the answer, not on the way to it.
 */
export const resolvedPath = (path: string | Uint8Array, lastName: LastName): string | null => {
  const bytes = latin1(Buffer.from(path as string));
  if (bytes === "" || bytes.length > longestPath_bytes) return null;
  if (lastName === "followed") {
    const real = quickly(bytes);
    if (real !== null) return text(real);
  }
  const start = bytes.startsWith("/") ? "/" : quickly(".");
  return start === null ? null : text(walk(start, bytes, lastName));
};

/** A symbolic link's target is read from the folder that the link is in. */
export const resolvedTarget = (target: string | Uint8Array, link: string | Uint8Array): string | null => {
  const bytes = latin1(Buffer.from(target as string));
  if (bytes.startsWith("/")) return resolvedPath(target, "followed");
  const place = resolvedPath(link, "kept");
  if (place === null) return null;
  return text(walk(parentOf(latin1(Buffer.from(place))), bytes, "followed"));
};

/** Names are handled one character a byte, so that none is lost. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const raw = (bytes: string): Buffer => Buffer.from(bytes, "latin1");
const text = (bytes: string): string => raw(bytes).toString();

const quickly = (bytes: string): string | null => {
  try {
    return latin1(realpathNative(raw(bytes), { encoding: "buffer" }));
  } catch {
    return null;
  }
};

/** One name after the other, as the kernel does: `..` leaves the folder that a link led to, not the one it is in. */
const walk = (start: string, path: string, lastName: LastName): string => {
  let at = start;
  let links = 0;
  const names = path.split("/").reverse();
  while (names.length > 0) {
    const name = names.pop() as string;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = parentOf(at);
      continue;
    }
    const next = at === "/" ? `/${name}` : `${at}/${name}`;
    const isLast = names.length === 0;
    const link = isLast && lastName === "kept" ? null : linkAt(next);
    // A link of /proc that names no path (`pipe:[1]`) is the end of the way.
    if (link === null || ++links > mostLinks || isNoPath(next, link)) {
      at = next;
      continue;
    }
    if (link.startsWith("/")) at = "/";
    names.push(...link.split("/").reverse());
  }
  return at;
};

const linkAt = (path: string): string | null => {
  try {
    const { mode = 0 } = lstatSync(raw(path), { throwIfNoEntry: false }) ?? {};
    if ((mode & S_IFMT) !== S_IFLNK) return null;
    return latin1(readlinkSync(raw(path), { encoding: "buffer" }));
  } catch {
    return null;
  }
};

const isNoPath = (at: string, link: string): boolean => at.startsWith("/proc/") && /^[a-z_]+:\[/.test(link);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
