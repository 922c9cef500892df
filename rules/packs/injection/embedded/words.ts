import { classesOf } from "./lexicon.ts";

export interface Word {
  readonly text: string;
  /** Its classes; none where it stands in quotes. */
  readonly bits: number;
  readonly isQuoted: boolean;
  /** Where it begins in the sentence. */
  readonly at: number;
}

export interface Sentence {
  readonly words: readonly Word[];
  /** Indexes of the words that a comma, colon, semicolon or dash follows. */
  readonly pauses: ReadonlySet<number>;
}

/** Further words of a sentence are not looked at. */
const maxWords = 60;

const isPause = (unit: number): boolean => unit === 0x2c || unit === 0x3a || unit === 0x3b || unit === 0x2014;
const isQuote = (unit: number): boolean =>
  unit === 0x22 || unit === 0x27 || (unit >= 0x2018 && unit <= 0x201f) || unit === 0xab || unit === 0xbb;
const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019;
const isLetter = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0xc0 && unit < 0x250);
/** `users' names`: no quote begins there. */
const isPossessive = (lower: string, at: number, isQuoted: boolean): boolean =>
  !isQuoted && isApostrophe(lower.charCodeAt(at)) && isLetter(lower.charCodeAt(at - 1));
const hyphen = 0x2d;
const none: ReadonlySet<number> = new Set();

/** The words of a sentence in lower case. What stands in quotes is somebody's words, not the sentence's own. */
export const sentenceOf = (lower: string): Sentence => {
  const words: Word[] = [];
  let pauses: Set<number> | null = null;
  let isQuoted = false;
  for (let at = 0; at < lower.length && words.length < maxWords; ) {
    const unit = lower.charCodeAt(at);
    if (!isLetter(unit)) {
      if (isPause(unit) && words.length > 0) {
        pauses ??= new Set();
        pauses.add(words.length - 1);
      } else if (isQuote(unit) && !isPossessive(lower, at, isQuoted)) isQuoted = !isQuoted;
      at++;
      continue;
    }
    const end = wordEnd(lower, at);
    const text = lower.slice(at, end).replace("\u2019", "'");
    words.push({ text, bits: isQuoted ? 0 : classesOf(text), isQuoted, at });
    at = end;
  }
  return { words, pauses: pauses ?? none };
};

/** An apostrophe or a hyphen between letters is of the word. */
const wordEnd = (lower: string, from: number): number => {
  let at = from + 1;
  for (; at < lower.length; at++) {
    const unit = lower.charCodeAt(at);
    if (isLetter(unit)) continue;
    if ((isApostrophe(unit) || unit === hyphen) && isLetter(lower.charCodeAt(at + 1))) continue;
    break;
  }
  return at;
};
