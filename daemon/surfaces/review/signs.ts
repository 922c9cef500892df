import { eastAsianWidth } from "get-east-asian-width";

/** What a terminal shows in one piece: a letter with its marks, or the written form of what has no form of its own. */
export interface Sign {
  readonly text: string;
  /** Columns of it. */
  readonly width: number;
  /** Is it of what changed? */
  readonly isMarked: boolean;
  /** A line ends behind it. */
  readonly endsLine: boolean;
}

/** From, to: UTF-16 offsets. */
export type Range = readonly [from: number, to: number];

export interface SignTerms {
  /** What changed of the text. In order. */
  readonly marked: readonly Range[];
  /** Letters that could be taken for others are followed by their code point. */
  readonly spellsOut: boolean;
}

/**
 * Text of a server's as signs. What is not seen, moves, turns, hides or ends a line stands there as `<U+200B>`: controls, format and
 * bidirectional controls, separators, private and unassigned letters, variation selectors, tags, blanks that are no space, and marks
 * that stand on nothing or pile up. Where the text itself says `<U+`, its `<` is written so too: no text can write what is no part of it.
 */
export const signsOf = (text: string, { marked, spellsOut }: SignTerms): readonly Sign[] => {
  const signs: Sign[] = [];
  let range = 0;
  let piled = 0;
  for (let at = 0; at < text.length; ) {
    while (range < marked.length && (marked[range] as Range)[1] <= at) range += 1;
    const isMarked = range < marked.length && at >= (marked[range] as Range)[0];
    const sign = String.fromCodePoint(text.codePointAt(at) as number);
    const blanks = sign === " " ? blanksAt(text, at) : 0;
    const escaped = sign === "\\" ? text.slice(at, at + 2) : null;
    if (blanks > maxBlanks) {
      signs.push(written(`<U+0020 x${blanks}>`, isMarked));
      at += blanks;
    } else if (escaped !== null) {
      signs.push({ text: escaped, width: escaped.length, isMarked, endsLine: escaped === "\\n" });
      at += escaped.length;
    } else if (isMark.test(sign) && !isUnseen.test(sign)) {
      const on = signs.at(-1);
      piled += 1;
      if (spellsOut || piled > maxPiledMarks || on === undefined || !isLetter.test(on.text)) {
        signs.push(written(codePoint(sign), isMarked));
      } else signs[signs.length - 1] = { ...on, text: on.text + sign, isMarked: on.isMarked || isMarked };
      at += sign.length;
      continue;
    } else {
      signs.push(seen(sign, text, at, isMarked, spellsOut && isMarked));
      at += sign.length;
    }
    piled = 0;
  }
  return signs;
};

const maxBlanks = 3;
const maxPiledMarks = 2;

const isUnseen =
  /[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
const isMark = /\p{M}/u;
const isLetter = /[\p{L}\p{N}\p{M}]/u;
/** Blank in most fonts, and letters or symbols by their class. */
const blankLetters: ReadonlySet<string> = new Set(["\u2800", "\u3164", "\uffa0", "\u115f", "\u1160"]);

const blanksAt = (text: string, at: number): number => {
  let to = at;
  while (text[to] === " ") to += 1;
  return to - at;
};

const seen = (sign: string, text: string, at: number, isMarked: boolean, spellsOut: boolean): Sign => {
  if (isUnseen.test(sign) || blankLetters.has(sign)) return written(codePoint(sign), isMarked);
  if (sign === "<" && (text.startsWith("U+", at + 1) || text.startsWith("...", at + 1))) {
    return written(codePoint(sign), isMarked);
  }
  const spelt = spellsOut && sign > "\u007f" ? `${sign}${codePoint(sign)}` : sign;
  return { text: spelt, width: widthOf(sign) + spelt.length - sign.length, isMarked, endsLine: false };
};

const written = (text: string, isMarked: boolean): Sign => ({ text, width: text.length, isMarked, endsLine: false });

const widthOf = (sign: string): number => eastAsianWidth(sign.codePointAt(0) as number);

const codePoint = (sign: string): string =>
  `<U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}>`;

/** One line of it: a name or a path that a server chose. */
export const shownText = (text: string): string =>
  isolated(
    signsOf(text, { marked: [], spellsOut: false })
      .map(({ text: sign }) => sign)
      .join(""),
  );

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Text that runs from right to left turns nothing but itself: first strong isolate, pop directional isolate. */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text);
