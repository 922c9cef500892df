const known = new Map<string, readonly string[]>();
const mostKnown = 8_192;
const longestName = 256;

/** The words of a name, in lower case: `dryRun`, `dry_run`, `dry-run` and `Dry run` are the same. No part of a longer word is one. */
export const nameWords = (name: string): readonly string[] => {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = name
    .slice(0, longestName)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (known.size >= mostKnown) known.clear();
  known.set(name, words);
  return words;
};

/** A list written as one text. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Does one of the runs (`dry_run`, `confirm`) stand among the words, in its order? */
export const holdsName = (words: readonly string[], runs: ReadonlySet<string>): boolean => {
  for (let from = 0; from < words.length; from++) {
    let run = "";
    for (let to = from; to < Math.min(words.length, from + 3); to++) {
      run = to === from ? words[to]! : `${run}_${words[to]!}`;
      if (runs.has(run)) return true;
    }
  }
  return false;
};
