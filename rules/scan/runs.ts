import { isOfRun } from "../text/decode/runs.ts";

/** Runs of characters that an encoding may have left, found in one pass over the text. */

/** Shorter than this, decoded bytes hold nothing that could be told from chance. */
export const minRunCharacters = 20;
/** Lines of a blob that was folded are this long at least; mail folds at 76, PEM at 64. */
const minFoldedCharacters = 56;

/**
 * Every run of the base64 alphabets (hex and base32 are within them), folded lines joined, without its padding. `take` is told of
 * each: a text of a program has a run every two hundred characters, and an object for each would cost more than to find it.
 */
export const eachRun = (text: string, take: (start: number, end: number) => void): void => {
  const { length } = text;
  let start = 0;
  // What lies before it, from `start` on, is known to be of a run.
  let seen = 0;
  let heldStart = -1;
  let heldEnd = -1;
  while (start + minRunCharacters <= length) {
    // From where a run that begins here would have to reach, backwards: most words are told from a run by one look.
    const reach = start + minRunCharacters;
    let at = reach - 1;
    while (at >= seen && isOfRun(text.charCodeAt(at))) at--;
    if (at >= seen) {
      start = at + 1;
      seen = reach;
      continue;
    }
    let end = reach;
    while (end < length && isOfRun(text.charCodeAt(end))) end++;
    if (heldStart >= 0 && isFold(text, heldStart, heldEnd, start)) heldEnd = end;
    else {
      if (heldStart >= 0) take(heldStart, heldEnd);
      heldStart = start;
      heldEnd = end;
    }
    start = end + 1;
    seen = start;
  }
  if (heldStart >= 0) take(heldStart, heldEnd);
};

/** A line end and nothing else between them, and the line before it is a long one. */
const isFold = (text: string, start: number, end: number, next: number): boolean => {
  if (next - end > 2 || text.charCodeAt(next - 1) !== 10) return false;
  if (next - end === 2 && text.charCodeAt(end) !== 13) return false;
  return end - Math.max(start, text.lastIndexOf("\n", end - 1) + 1) >= minFoldedCharacters;
};
