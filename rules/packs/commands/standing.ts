import { homedir } from "node:os";
import { posix } from "node:path";
import { placesOf } from "../../shell/directories.ts";
import type { EffectPath } from "../../shell/effect.ts";
import { isProtectedPlace } from "../../shell/system-places.ts";
import type { Surroundings } from "../pack.ts";

/** Where a path of a command leads, for whoever deletes or writes there. The worst of what is possible comes first. */
export type Standing = "protected" | "outside" | "root_itself" | "scratch" | "inside";

const order: readonly Standing[] = ["protected", "outside", "root_itself", "scratch", "inside"];

/** For a path that is known; one of many folders that a command may run in is enough. */
export const standingOf = (path: EffectPath, around: Surroundings): Standing => {
  const places = placesOf(path.directories, path.text);
  const standings = places.map((place) => standingOfPlace(place, around));
  return order.find((standing) => standings.includes(standing)) ?? "outside";
};

/** The folder that holds everything that a pattern may match. */
const withoutPattern = (place: string): string => {
  const parts = place.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  return first < 0 ? place : parts.slice(0, first).join("/") || (place.startsWith("/") ? "/" : ".");
};

const isWhole = (place: string): boolean => /^(?:\*|\.\*|\{?\.?\*\}?|\*\*)$/.test(posix.basename(place));

const standingOfPlace = (place: string, around: Surroundings): Standing => {
  const absolute = absoluteOf(place, around.directory);
  const holder = withoutPattern(absolute);
  // `a/*.o` is less than a, `a/*` is all of it.
  const target = holder === absolute || isWhole(absolute) ? holder : `${holder}/x`;
  const isInside = around.roots.some((root) => isBelow(target, expanded(root)));
  if (around.roots.some((root) => target === expanded(root))) return "root_itself";
  // A root may hold the homes of people: one of them is still a home.
  if (isHome(target)) return "protected";
  if (isInside) return "inside";
  if (
    isProtectedPlace(target) ||
    isProtectedPlace(place) ||
    around.roots.some((root) => isBelow(expanded(root), target))
  ) {
    return isRelativeInside(target, place) ? "root_itself" : "protected";
  }
  if (!target.startsWith("/")) return target.startsWith("..") ? "outside" : "inside";
  return scratch.some((folder) => isBelow(target, folder)) ||
    fetchedAgain.some((folder) => target === folder || isBelow(target, folder)) ||
    caches.some((folder) => target === `${homedir()}/${folder}` || isBelow(target, `${homedir()}/${folder}`))
    ? "scratch"
    : "outside";
};

/** Without a directory that is known, `.` is the folder that one works in. */
const isRelativeInside = (target: string, place: string): boolean =>
  (target === "." || place === ".") && !target.startsWith("/");

const scratch = ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"];
/** What package managers of a system fetch again. */
const fetchedAgain = ["/var/lib/apt/lists", "/var/cache/apt", "/var/cache/apk", "/var/cache/dnf", "/var/cache/yum"];
const caches = [".cache", ".npm/_cacache", ".gradle/caches", "Library/Caches", ".cargo/registry"];

const isHome = (target: string): boolean => target === homedir();

const expanded = (path: string): string => {
  const plain = path === "~" || path.startsWith("~/") ? `${homedir()}${path.slice(1)}` : path;
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
};

const absoluteOf = (place: string, directory: string | null): string => {
  if (place.startsWith("/")) return posix.normalize(place);
  if (place === "~" || place.startsWith("~/")) return posix.normalize(expanded(place));
  if (place.startsWith("~")) return place;
  return directory === null
    ? posix.normalize(place)
    : posix.normalize(`${expanded(directory)}/${place}`).replace(/(?<=.)\/$/, "");
};

/** Is `path` strictly below `folder`? */
const isBelow = (path: string, folder: string): boolean =>
  folder === "/" ? path !== "/" && path.startsWith("/") : path.startsWith(`${folder}/`);
