import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The kernel's own limit on links in one path (path_resolution(7)). */
const maxLinks = 40;

/** What a path is a link to; null for what is no link, or not there. */
type Links = (path: string) => string | null;

/** One look at each folder on the way, for many paths that share their folders. */
export const linksOnce = (): Links => {
  const seen = new Map<string, string | null>();
  return (path) => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const target = targetOf(path);
    seen.set(path, target);
    return target;
  };
};

/**
 * Every name by which an absolute path is reached: as it is written, after each link on the way, and as the kernel knows
 * it. Each of these links could be exchanged, so that each name counts. What is not there yet is named by its nearest parent.
 */
export const namesOf = (path: string, links: Links): readonly string[] => {
  const names = new Set([path, realNameOf(path)]);
  let name = path;
  for (let followed = 0; followed < maxLinks; followed++) {
    const next = pastFirstLink(name, links);
    if (next === null) break;
    name = next;
    names.add(name);
  }
  return [...names];
};

const realNameOf = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realNameOf(parent), basename(path));
  }
};

/** The same path with its first link followed; null where there is none. */
const pastFirstLink = (path: string, links: Links): string | null => {
  const parts = path.split("/").slice(1);
  let reached = "/";
  for (const [at, part] of parts.entries()) {
    const next = join(reached, part);
    const target = links(next);
    if (target !== null) return resolve(reached, target, ...parts.slice(at + 1));
    reached = next;
  }
  return null;
};

const targetOf = (path: string): string | null => {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
};
