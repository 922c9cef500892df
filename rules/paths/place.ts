import { posix } from "node:path";
import { folded, maxParts } from "./folded.ts";
import { type FileUse, type Member, protectionOf } from "./protected/index.ts";
import { member, type SetOf } from "./protected/member.ts";
import { normalized, readingsOf } from "./readings.ts";
import { type Links, realPaths } from "./real-path.ts";

export interface Protecting {
  readonly sets: readonly SetOf[];
  /** Absolute paths that are left alone, and files of theirs alone: exact, not what is below. */
  readonly allowed: ReadonlySet<string>;
}

export interface Spelling {
  readonly text: string;
  readonly uses: readonly FileUse[];
  /** What relative paths mean; null: not known. */
  readonly directory: string | null;
  /** Are wildcards those of a shell, which leaves hidden names out? */
  readonly isShell: boolean;
  /** Looks for links on this machine. */
  readonly follows: boolean;
}

/** Longer is no path (PATH_MAX). */
export const maxPathCharacters = 4_096;

/** What protects a place, by any reading of its spelling and by what a link there leads to; null where nothing does. */
export const protectedBy = (spelling: Spelling, { sets, allowed }: Protecting, links?: Links): Member | null => {
  const { text, uses, directory, isShell, follows } = spelling;
  if (text.length > maxPathCharacters) return null;
  if (partsIn(text) > maxParts) return tooDeep;
  const readings = readingsOf(text).map((reading) => absolute(reading, directory));
  const reached = follows ? realPaths(text, directory, links) : null;
  for (const reading of reached === null ? readings : new Set([...readings, ...reached])) {
    const found = protectionOfReading(reading, uses, sets, isShell);
    if (found !== null) return isAllowed(readings, reached, allowed) ? null : found;
  }
  return null;
};

/** What was said of a path before: daily work asks about the same ones. By sets, then by the path with what is done to it. */
const known = new WeakMap<readonly SetOf[], Map<string, Member | null>>();
const maxKnown = 4_096;
const maxKnownCharacters = 256;

const protectionOfReading = (
  reading: string,
  uses: readonly FileUse[],
  sets: readonly SetOf[],
  isShell: boolean,
): Member | null => {
  if (reading.length > maxKnownCharacters) return protectionOf(folded(reading), uses, sets, isShell);
  let bySets = known.get(sets);
  if (bySets === undefined) {
    bySets = new Map();
    known.set(sets, bySets);
  }
  const key = `${isShell ? "shell" : "file"} ${uses.join()} ${reading}`;
  const before = bySets.get(key);
  if (before !== undefined) return before;
  const found = protectionOf(folded(reading), uses, sets, isShell);
  if (bySets.size >= maxKnown) bySets.clear();
  bySets.set(key, found);
  return found;
};

const tooDeep = member(
  "named",
  ["read", "list", "write", "delete", "alter"],
  "escalate",
  "a path of more parts than are judged",
);

const partsIn = (text: string): number => {
  if (text.length <= maxParts) return 0;
  let parts = 1;
  for (const letter of text) if (letter === "/" || letter === "\\" || letter === "\uff0f") parts++;
  return parts;
};

const absolute = (reading: string, directory: string | null): string =>
  directory === null || /^(?:[/~$%\\]|[a-z][:|])/i.test(reading) ? reading : `${directory}/${reading}`;

/** A path is left alone where it leads to an allowed one by every reading. */
const isAllowed = (
  readings: readonly string[],
  reached: readonly string[] | null,
  allowed: ReadonlySet<string>,
): boolean =>
  allowed.size > 0 &&
  [...readings, ...(reached ?? [])].every(
    (path) => allowed.has(normalized(path)) || allowed.has(posix.resolve("/", path)),
  );
