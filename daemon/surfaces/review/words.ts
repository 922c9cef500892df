import { diffWordsWithSpace } from "diff";
import skeletonOf from "unhomoglyph";
import { mixesScripts } from "../../../rules/text/normalise/look-alikes.ts";
import type { Range, SignTerms } from "./signs.ts";

/** What is marked of either side. */
export interface MarkedWords {
  readonly approved: SignTerms;
  readonly observed: SignTerms;
}

/** Words that were put and taken away; beyond them all of what lies between the first and the last difference is marked. */
const mostEdits = 1_000;

/** Which words of two texts differ. Where the two look alike, the letters of what differs are spelt out. */
export const markWords = (approved: string, observed: string): MarkedWords => {
  const [before, after] = differing(approved, observed);
  const spellsOut =
    looks(approved) === looks(observed) ||
    mixesScripts(within(approved, before)) ||
    mixesScripts(within(observed, after));
  return { approved: { marked: before, spellsOut }, observed: { marked: after, spellsOut } };
};

const looks = (text: string): string => skeletonOf(text.normalize("NFKC")).toLowerCase();

const within = (text: string, ranges: readonly Range[]): string =>
  ranges.map(([from, to]) => text.slice(from, to)).join(" ");

const differing = (approved: string, observed: string): readonly [readonly Range[], readonly Range[]] => {
  const parts = diffWordsWithSpace(approved, observed, { maxEditLength: mostEdits });
  if (parts === undefined) return between(approved, observed);
  const before: Range[] = [];
  const after: Range[] = [];
  let [left, right] = [0, 0];
  for (const { value, added, removed } of parts) {
    if (added) after.push([right, right + value.length]);
    if (removed) before.push([left, left + value.length]);
    if (!added) left += value.length;
    if (!removed) right += value.length;
  }
  return [before, after];
};

const between = (approved: string, observed: string): readonly [readonly Range[], readonly Range[]] => {
  const shorter = Math.min(approved.length, observed.length);
  let from = 0;
  while (from < shorter && approved[from] === observed[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && approved.at(-1 - tail) === observed.at(-1 - tail)) tail += 1;
  return [[[from, approved.length - tail]], [[from, observed.length - tail]]];
};
