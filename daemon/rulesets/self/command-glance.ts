import type { WireObject } from "../../../wire/value.ts";
import { isAltering, nameOf } from "./altering-programs.ts";
import { pathsOf, writesOut } from "./command-places.ts";
import type { Place } from "./places.ts";
import { relationTo } from "./relation.ts";
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
  const words = texts.flatMap(wordsOf);
  const alters = words.some((word) => isAltering(nameOf(word)));
  const goes = words.some((word) => goers.has(word));
  if (words.some((word) => isSignalling(nameOf(word)))) return true;
  if (alters && (goes || texts.some(isFilledIn))) return true;
  if (texts.some((text) => places.some((place) => place.isPrivate && writesOut(text, place)))) return true;
  // A bare `cd` goes home.
  const folders = goes ? [cwd, "~"] : [cwd];
  return words.some((word) => {
    const paths = pathsOf({ text: word.replace(/^\$\{?HOME\}?/, "~") }, folders);
    return paths.some((path) =>
      places.some((place) => {
        const relation = relationTo(path, place.path, place.extent);
        return relation === "inside" || (relation === "above" && (alters || goes));
      }),
    );
  });
};

const goers: ReadonlySet<string> = new Set(["cd", "pushd", "env", "eval", "source", "."]);

/** What stands between blanks and what shells end words with; quotes and backslashes are parts of no word. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`]+/)
    .filter((word) => word !== "");
