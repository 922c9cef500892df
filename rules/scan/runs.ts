/** Runs of characters that an encoding may have left, found in one pass over the text. */

export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Shorter than this, decoded bytes hold nothing that could be told from chance. */
export const minRunCharacters = 16;
/** Lines of a blob that was folded are this long at least; mail folds at 76, PEM at 64. */
const minFoldedCharacters = 56;

const isRunCharacter = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
  isRunCharacter[character.charCodeAt(0)] = 1;

/** Every run of the base64 alphabets (hex and base32 are within them), folded lines joined, without its padding. */
export const runsOf = (text: string): readonly Run[] => {
  const runs: Run[] = [];
  const { length } = text;
  let start = 0;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? text.charCodeAt(at) : 0;
    if (code < 128 && isRunCharacter[code] === 1) continue;
    if (at - start >= minRunCharacters) take(runs, { start, end: at }, text);
    start = at + 1;
  }
  return runs;
};

const take = (runs: Run[], run: Run, text: string): void => {
  const before = runs.at(-1);
  if (before !== undefined && lastLine(before, text) >= minFoldedCharacters && isFold(text, before.end, run.start))
    runs[runs.length - 1] = { start: before.start, end: run.end };
  else runs.push(run);
};

const lastLine = ({ start, end }: Run, text: string): number => {
  const from = Math.max(start, end - minFoldedCharacters - 1);
  return end - Math.max(from, text.lastIndexOf("\n", end - 1) + 1);
};

const isFold = (text: string, from: number, to: number): boolean =>
  to - from <= 2 && text.charCodeAt(to - 1) === 10 && (to - from === 1 || text.charCodeAt(from) === 13);
