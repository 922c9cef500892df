import { homedir } from "node:os";
import { unknown, type Word } from "../../../rules/shell/word.ts";
import { byProcess } from "./own-threads.ts";
import type { Place } from "./places.ts";
import { folded, plainPath, type Relation, relationTo } from "./relation.ts";

/** Folders that a command may run in; null is one that is not known. */
export type Folders = readonly (string | null)[];

/**
 * Every path that a word may name, folded: the word, and what follows `=`, `:`, `,` or `@` in it. A relative one is read from
 * each folder that the command may run in.
 */
export const pathsOf = ({ text }: Pick<Word, "text">, folders: Folders): readonly string[] =>
  [text, ...text.split(/[=:,@]/).slice(1)]
    .flatMap((part) => absolute(part, folders))
    .map((path) => byProcess(folded(plainPath(path))));

const absolute = (path: string, folders: Folders): readonly string[] => {
  if (path === "") return [];
  if (path.startsWith("/")) return [path];
  if (path === "~" || path.startsWith("~/")) return [`${homedir()}${path.slice(1)}`];
  return folders.flatMap((folder) => (folder === null ? [] : [`${home(folder)}/${path}`]));
};

const home = (folder: string): string => (folder.startsWith("~") ? `${homedir()}${folder.slice(1)}` : folder);

/** `may`: also where only the running shell knows what stands there. */
export type Certainty = "certainly" | "may";

/** How what a word names relates to a place. A pattern of a shell (`*`, `?`, `[`) names what it matches. */
export const wordRelation = (path: string, place: Place, certainty: Certainty): Relation => {
  if (!isPattern(path)) return relationTo(path, place.path, place.extent);
  const [parts, wanted] = [path, place.path].map((text) => text.split("/").slice(1)) as [string[], string[]];
  for (const [at, name] of wanted.entries()) {
    const part = parts[at];
    if (part === undefined) return "above";
    if (!part.includes(unknown) ? !mayMatch(part, name) : certainty === "certainly" || at < wanted.length - 1)
      return null;
  }
  return "inside";
};

const isPattern = (path: string): boolean => path.includes(unknown) || /[*?[]/.test(path);

/** Does a pattern match a name, as far as its letters before the first sign and behind the last one tell? */
const mayMatch = (pattern: string, name: string): boolean => {
  const first = pattern.search(/[*?[]/);
  if (first < 0) return pattern === name;
  // A sign at the start matches no hidden name.
  if (first === 0 && name.startsWith(".")) return false;
  const rest = pattern.slice(
    Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?"), pattern.lastIndexOf("]")) + 1,
  );
  return name.startsWith(pattern.slice(0, first)) && name.endsWith(rest);
};

/** Is the path of a place written in this folded text, whatever the text is: a program for an interpreter, an address? */
export const writesOut = (lower: string, { path, extent }: Place): boolean => {
  const goesOn = extent === "named" ? /[a-z0-9_-]/ : /[a-z0-9_.-]/;
  for (let at = lower.indexOf(path); at >= 0; at = lower.indexOf(path, at + 1)) {
    const next = lower[at + path.length] ?? "";
    if (!goesOn.test(next)) return true;
  }
  return false;
};
