import { posix } from "node:path";
import { unknown, type Word } from "./word.ts";

/** Where a command may run: absolute or below `~`; null where it is the caller's own, unknown directory. */
export type Directory = string | null;

/** More than this many places are not told apart; a script that goes to so many is a human's to read. */
const maxDirectories = 16;

/** Where commands after `cd TARGET` may run. The old places stay possible, because a `cd` can fail. */
export const afterChange = (before: readonly Directory[], target: Word | undefined): readonly Directory[] => {
  const to = target?.text ?? "~";
  if (to === "-" || to.includes(unknown)) return before;
  // The newest first: of too many, the oldest are forgotten.
  const next = new Set<Directory>(before.map((directory) => within(directory, to)));
  for (const directory of before) next.add(directory);
  return [...next].slice(0, maxDirectories);
};

/** Where a command runs that is told to by an option: `git -C TARGET`. It runs nowhere else. */
export const afterOption = (before: readonly Directory[], { text }: Word): readonly Directory[] =>
  text.includes(unknown) ? [null] : [...new Set(before.map((directory) => within(directory, text)))];

/** Every place that a path may be, one for each directory that the command may run in. */
export const placesOf = (directories: readonly Directory[], path: string): readonly string[] =>
  directories.map((directory) => within(directory, path) ?? posix.normalize(path));

const within = (directory: Directory, path: string): Directory => {
  if (path.startsWith("/")) return trimmed(posix.normalize(path));
  if (path === "~" || path.startsWith("~/")) return trimmed(posix.normalize(path));
  return directory === null ? null : trimmed(posix.normalize(`${directory}/${path}`));
};

const trimmed = (path: string): string => {
  const single = path.startsWith("//") ? path.slice(1) : path;
  return single.length > 1 && single.endsWith("/") ? single.slice(0, -1) : single;
};
