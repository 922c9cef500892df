import type { WireObject } from "../../../wire/value.ts";
import { isAltering, nameOf } from "./altering-programs.ts";
import { pathsOf, writesOut } from "./command-places.ts";
import { isOperatorProgram } from "./operator-programs.ts";
import type { Place } from "./places.ts";
import { folded, relationTo } from "./relation.ts";
import { isSignalling } from "./signalling-programs.ts";

/** The texts that a call runs; where a shell reads them, they are one. */
export const textsOf = ({ command, args, options }: WireObject): readonly string[] => {
  const texts = [command, ...(Array.isArray(args) ? args : [])].filter((text) => typeof text === "string");
  const isLine = typeof options === "object" && options !== null && Boolean((options as WireObject).shell);
  return isLine ? [texts.join(" ")] : texts;
};

/** No kernel takes more for one program. */
const longest_characters = 2 * 1024 * 1024;

/** A text of several words in which a shell fills something in. */
const isFilledIn = (text: string): boolean => /[*?[{$`]/.test(text) && /\s/.test(text);

/**
 * Is there anything in these texts that a closer look could object to? Most commands are done with here, without a parser: none of
 * their words is near a protected place, and no program that alters is given a pattern, a variable, or a folder to go to.
 */
export const isWorthALook = (texts: readonly string[], cwd: string | null, places: readonly Place[]): boolean => {
  if (texts.reduce((sum, { length }) => sum + length, 0) > longest_characters) return true;
  const words = new Set(texts.flatMap(wordsOf));
  let alters = false;
  let goes = false;
  for (const word of words) {
    const name = nameOf(word);
    if (isSignalling(name) || isOperatorProgram(name)) return true;
    alters ||= isAltering(name);
    goes ||= goers.has(word);
  }
  if (alters && (goes || texts.some(isFilledIn))) return true;
  if (texts.some((text) => writesOutAny(text, places))) return true;
  // A bare `cd` goes home.
  const folders = [...(cwd === null ? [] : [cwd]), ...(goes ? ["~"] : [])];
  const mayHold = cwd !== null && isNear(folded(cwd), places);
  for (const word of words) {
    // From a folder that is no protected place's, a name leads to none.
    if (!goes && !mayHold && !mayLeave.test(word)) continue;
    for (const path of pathsOf({ text: word.replace(/^\$\{?HOME\}?/, "~") }, folders)) {
      for (const place of places) {
        const relation = relationTo(path, place.path, place.extent);
        if (relation === "inside" || (relation === "above" && (alters || goes))) return true;
      }
    }
  }
  return false;
};

const mayLeave = /^[/~$]|[=:,@][/~]|\.\./;

const writesOutAny = (text: string, places: readonly Place[]): boolean => {
  const lower = folded(text);
  return places.some((place) => place.isPrivate && writesOut(lower, place));
};

const isNear = (path: string, places: readonly Place[]): boolean =>
  places.some((place) => relationTo(path, place.path, place.extent) !== null);

const goers: ReadonlySet<string> = new Set(["cd", "pushd", "env", "eval", "source", "."]);

/** What stands between blanks and what shells end words with; quotes and backslashes are parts of no word. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`]+/)
    .filter((word) => word !== "");
