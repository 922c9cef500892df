import { condensed, startOf } from "./condensed.ts";

/** A text that ends the value it is put into, and what it goes on with. */
export interface BreakOut {
  /** The statement that a program would make of it, up to where a comment cuts it. */
  readonly statement: string;
  /** What stands behind the end of the value. */
  readonly rest: string;
  /** A comment at its end takes away what the program would add. */
  readonly isCut: boolean;
  /** False: it goes on longer than is read. */
  readonly isWhole: boolean;
}

/** How what is SQL goes on behind a value. Words in this place that are none of these end the matter. */
const goesOn =
  /^(?:$|--|#|\/\*|;|\|\||&&|[=<>]|!=|[-+*/%^](?=\s{0,4}[('0-9])|(?:or|and|xor|union|having|order|group|limit|in|is|like|rlike|regexp|between|not|into|procedure|div|as)\b)/i;
const numberStart = /^\s{0,8}-?[0-9]{1,18}(?:\.[0-9]{1,9})?(?=[\s)/;|&=<>-])/;

/** What stands behind the end of a value. The first quote ends it: whatever is before that is only data. */
interface End {
  readonly quote: "'" | '"' | null;
  /** The value, its last characters. */
  readonly value: string;
  readonly rest: string;
  readonly isWhole: boolean;
}

/** Every place where the text could end the value that it is put into, and go on as SQL: as a number, or a string of either quote. */
const endsOf = (text: string): readonly End[] => {
  const found: End[] = [];
  const add = (quote: End["quote"], value: string, rest: string): void => {
    if (!goesOn.test(rest.slice(startOf(rest)))) return;
    const { text: read, isWhole } = condensed(rest);
    // An apostrophe at the very end of a text is a plural's.
    if (read.trim() !== "" || !isWhole) found.push({ quote, value, rest: read, isWhole });
  };
  for (const quote of ["'", '"'] as const) {
    const end = endOfValue(text, quote);
    if (end !== -1) add(quote, text.slice(Math.max(0, end - 64), end), text.slice(end + 1));
  }
  const digits = numberStart.exec(text)?.[0];
  if (digits !== undefined) add(null, digits, text.slice(digits.length));
  return found;
};

/** Whether the text could end the value that it is put into. Cheap: no parser is asked. */
export const endsValue = (text: string): boolean => endsOf(text).length > 0;

/** Each of those ends that a program would make a statement of. */
export const breakOutsOf = (text: string): readonly BreakOut[] =>
  endsOf(text).flatMap(({ quote, value, rest, isWhole }) => {
    const read = readRest(rest, quote);
    if (read === null) return [];
    const written = quote === null ? value : `'${value.replaceAll(/['"\\]/g, "")}'`;
    return [{ rest: read.rest, isCut: read.isCut, isWhole, statement: completed(written, read) }];
  });

/** The first quote that is not doubled. */
const endOfValue = (text: string, quote: string): number => {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at + 1] !== quote || at === 0) return at;
    at++;
  }
  return -1;
};

interface Rest {
  readonly rest: string;
  readonly isCut: boolean;
  /** Brackets that it closes and did not open, and those that it leaves open. */
  readonly closes: number;
  readonly opens: number;
}

/** Reads what follows the value: comments are taken out, an open string is ended as the program's own quote would. */
const readRest = (rest: string, quote: string | null): Rest | null => {
  let body = "";
  let depth = 0;
  let lowest = 0;
  for (let at = 0; at < rest.length; at++) {
    const character = rest[at]!;
    if (rest.startsWith("--", at) || character === "#")
      return { rest: body, isCut: isShort(rest.slice(at)), closes: -lowest, opens: depth - lowest };
    if (rest.startsWith("/*", at)) {
      const isRun = rest[at + 2] === "!";
      const end = rest.indexOf("*/", at + 2);
      if (end === -1) return { rest: body, isCut: true, closes: -lowest, opens: depth - lowest };
      body += isRun ? ` ${rest.slice(at + 3, end).replace(/^[0-9]{1,6}/, "")} ` : " ";
      at = end + 1;
      continue;
    }
    if (character === "'" || character === '"' || character === "`") {
      const end = rest.indexOf(character, at + 1);
      if (end === -1) {
        if (character !== quote) return null;
        return { rest: body + rest.slice(at) + character, isCut: false, closes: -lowest, opens: depth - lowest };
      }
      body += rest.slice(at, end + 1);
      at = end;
      continue;
    }
    if (character === "(") depth++;
    else if (character === ")") lowest = Math.min(lowest, --depth);
    body += character;
  }
  return { rest: body, isCut: false, closes: -lowest, opens: depth - lowest };
};

/** `-- -`, `--+`, `#`: nothing that somebody wanted to say. */
const isShort = (comment: string): boolean =>
  /^(?:--|#)[\s\-+a-z]{0,3}$/i.test(comment) || /^(?:--|#)\s{0,3}['")]/.test(comment);

const completed = (value: string, { rest, closes, opens }: Rest): string =>
  `SELECT a FROM t WHERE ${"(".repeat(closes)}c = ${value}${rest.replaceAll(/;\s{0,64}$/g, "")}${")".repeat(opens)}`;
