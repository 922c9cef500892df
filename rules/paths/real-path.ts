import { lstatSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The kernel's own limit on links in one path (path_resolution(7)). */
const maxLinks = 40;
const maxPathCharacters = 4096;

type LinkAt = string | null | undefined;

/**
 * What was looked at for one call: its files lie in the same folders. It is made anew for each call, since what is a link is another
 * matter by the next.
 */
export type Links = Map<string, LinkAt>;

/**
 * The one path that the kernel would reach by `text`, whether or not it exists yet: every link followed, `..` taken
 * after its link, `//` and `.` gone, `~` and file URLs resolved. Null where that cannot be said, which a rule must block:
 * relative without `directory`, white space or quotes around it (tools strip these), NUL, a loop, an unreadable parent, and
 * anything below /proc, whose links are another process's.
 *
 * Not every tool follows the kernel: one that takes `..` before links arrives elsewhere, see `realPaths`.
 */
export const realPath = (text: string, directory: string | null, links?: Links): string | null => {
  const path = absolute(text, directory);
  return path === null ? null : follow(path, links);
};

/** What a call may reach by `text`: by the kernel's reading, and by that of tools that take `..` first. Null where either cannot be said. */
export const realPaths = (text: string, directory: string | null, links?: Links): readonly string[] | null => {
  const path = absolute(text, directory);
  if (path === null) return null;
  const kernel = follow(path, links);
  // Without `..` the two readings are one.
  if (kernel === null || !path.includes("..")) return kernel === null ? null : [kernel];
  // `join` normalises as path.normalize does: by the text alone.
  const lexical = follow(join(path), links);
  return lexical === null ? null : [kernel, lexical];
};

const absolute = (text: string, directory: string | null): string | null => {
  if (text === "" || text.length > maxPathCharacters || text.includes("\0")) return null;
  if (text !== text.trim() || /^["']|["']$/.test(text)) return null;
  if (/^file:/i.test(text)) return pathOfUrl(text);
  if (text === "~" || text.startsWith("~/")) return `${homedir()}${text.slice(1)}`;
  if (text.startsWith("~")) return null;
  if (isAbsolute(text)) return text;
  return directory === null ? null : `${directory}/${text}`;
};

const pathOfUrl = (text: string): string | null => {
  try {
    return fileURLToPath(text);
  } catch {
    return null;
  }
};

const follow = (path: string, links?: Links): string | null => {
  const ahead = path.split("/").reverse();
  let reached = "/";
  let followed = 0;
  // How many steps below the last thing that exists: nothing is looked up there, as there is nothing.
  let missing = 0;
  for (let step = ahead.pop(); step !== undefined; step = ahead.pop()) {
    if (step === "" || step === ".") continue;
    if (step === "..") {
      reached = reached.slice(0, Math.max(reached.lastIndexOf("/"), 1));
      if (missing > 0) missing--;
      continue;
    }
    const next = reached === "/" ? `/${step}` : `${reached}/${step}`;
    if (next.toLowerCase() === "/proc") return null;
    const link = missing > 0 ? undefined : links === undefined ? linkAt(next) : linkOnce(next, links);
    if (link === null) return null;
    if (link === undefined) missing++;
    if (link === undefined || link === "") reached = next;
    else {
      if (++followed > maxLinks) return null;
      if (link.startsWith("/")) reached = "/";
      ahead.push(...link.split("/").reverse());
    }
  }
  return reached;
};

const linkOnce = (path: string, links: Links): LinkAt => {
  if (links.has(path)) return links.get(path);
  const link = linkAt(path);
  links.set(path, link);
  return link;
};

/** Where a link leads, also one whose target does not exist; empty for what is no link, undefined for nothing; null where it cannot be looked at. */
const linkAt = (path: string): LinkAt => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isSymbolicLink() ? readlinkSync(path) : "";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : null;
  }
};

/** Is `path` this folder or below it? Both are real paths; compared exactly, so that a file system that ignores case costs a refusal. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
