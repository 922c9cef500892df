import type { WireObject } from "../../../wire/value.ts";
import { isAltering, nameOf } from "./altering-programs.ts";
import { pathsOf, writesOut } from "./command-places.ts";
import type { Place } from "./places.ts";
import { relationTo } from "./relation.ts";
import { isSignalling } from "./signalling-programs.ts";

/** The texts that a call runs. */
export const textsOf = ({ command, args }: WireObject): readonly string[] =>
  [command, ...(Array.isArray(args) ? args : [])].filter((text): text is string => typeof text === "string");

/**
 * Is there anything in these texts that a closer look could object to? Most commands are done with here, without a parser: none of
 * their words is near a protected place, and no program that alters is given a pattern, a variable, or a folder to go to.
 */
export const isWorthALook = (texts: readonly string[], cwd: string | null, places: readonly Place[]): boolean => {
  const words = texts.flatMap(wordsOf);
  const alters = words.some((word) => isAltering(nameOf(word)));
  const goes = words.some((word) => goers.has(word));
  if (words.some((word) => isSignalling(nameOf(word)))) return true;
  if (alters && (goes || texts.some((text) => /[*?[{$`]/.test(text)))) return true;
  if (texts.some((text) => places.some((place) => place.isPrivate && writesOut(text, place)))) return true;
  const folders = [cwd];
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
