import { inPlainLetters, isAscii } from "../../../../rules/text/normalise/letters.ts";
import { asItLooks } from "../../../../rules/text/normalise/look-alikes.ts";

const longestName = 512;

/** A name as it is seen: no invisible letters, letters of other scripts as what they look like, no case. */
export const seenName = (name: string): string => {
  const plain = inPlainLetters(name.slice(0, longestName)).text;
  return (isAscii(plain) ? plain : asItLooks(plain).text).toLowerCase();
};

/** What people and models take for one name: as it is seen, without what separates its words, digits as the letters they are written for. */
export const skeletonOf = (name: string): string =>
  seenName(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll("rn", "m")
    .replaceAll("0", "o")
    .replaceAll(/[1l|]/g, "i");

/** `same`: letter by letter. `disguised`: only letters that look alike, or are not seen, make the difference. `alike`: separators, case or digits do. */
export type Likeness = "same" | "disguised" | "alike" | "none";

export const likeness = (one: string, other: string): Likeness => {
  if (one === other) return "same";
  if (skeletonOf(one) !== skeletonOf(other)) return "none";
  return isPlain(one) && isPlain(other) ? "alike" : "disguised";
};

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);
