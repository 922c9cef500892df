/** What follows the end of a value, without what only fills it: blanks, comments, the inside of long literals. */
export interface Condensed {
  readonly text: string;
  /** False: there was more, and the text ends before the last part of a condition, or statement, that was whole. */
  readonly isWhole: boolean;
}

/** Longer SQL is nobody's injection that a grammar has to see whole. */
const maxCharacters = 1_024;
/** Literals are shortened to this many characters at each end. */
const keptOfLiteral = 24;

const word = /[A-Za-z_]{1,64}/y;
const joins: ReadonlySet<string> = new Set(["or", "and", "xor", "union"]);

/** Linear in the text, and ends as soon as it has enough. */
export const condensed = (text: string): Condensed => {
  let made = "";
  let boundary = 0;
  for (let at = 0; at < text.length; ) {
    if (made.length > maxCharacters) return { text: made.slice(0, boundary), isWhole: false };
    const character = text[at]!;
    const blanks = endOfBlanks(text, at);
    if (blanks > at) {
      made += text.slice(at, Math.min(blanks, at + 4_096)).includes("\n") ? "\n" : " ";
      at = blanks;
    } else if (text.startsWith("--", at) || character === "#") {
      made += text.slice(at, at + 64);
      break;
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      if (end === -1) return { text: `${made}/*`, isWhole: true };
      made += text[at + 2] === "!" ? text.slice(at, Math.min(end, at + 512)).concat("*/") : "/**/";
      at = end + 2;
    } else if (character === "'" || character === '"' || character === "`") {
      const end = text.indexOf(character, at + 1);
      if (end === -1) return { text: made + character + shortened(text.slice(at + 1)), isWhole: true };
      made += character + shortened(text.slice(at + 1, end)) + character;
      at = end + 1;
    } else {
      word.lastIndex = at;
      const found = word.exec(text)?.[0] ?? character;
      if (found === ";" || found === "|" || found === "&" || joins.has(found.toLowerCase())) boundary = made.length;
      made += found;
      at += found.length;
    }
  }
  return { text: made, isWhole: true };
};

const blank = /\s/;

const endOfBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && blank.test(text[at]!)) at++;
  return at;
};

/** Where something stands behind blanks, closing brackets and comments. */
export const startOf = (text: string): number => {
  let at = 0;
  while (at < text.length) {
    if (text[at] === ")" || blank.test(text[at]!)) at++;
    else if (text.startsWith("/*", at) && text[at + 2] !== "!") {
      const end = text.indexOf("*/", at + 2);
      if (end === -1) return at;
      at = end + 2;
    } else return at;
  }
  return at;
};

/** Two that were the same stay the same. */
const shortened = (literal: string): string =>
  literal.length <= 2 * keptOfLiteral ? literal : literal.slice(0, keptOfLiteral) + literal.slice(-keptOfLiteral);
