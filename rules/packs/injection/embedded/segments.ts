import { classesOf, wordClass } from "./lexicon.ts";

/** A sentence, or what stands alone like one. UTF-16 offsets; white space at the ends is left out. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** It begins within a line, after a word that ended nothing: `was sent Explain the theory ...`. */
  readonly isRunOn: boolean;
}

const newline = 0x0a;
const backslash = 0x5c;
/** `\\n`, `\\r`, `\\t`: the line breaks of a mail in JSON that is itself a text. */
const isEscape = (code: number): boolean => code === 0x6e || code === 0x72 || code === 0x74;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const isLower = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code > 0xde && code < 0x250);
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isEnd = (code: number): boolean => code === 0x2e || code === 0x3f || code === 0x21;
/** Quotes and brackets that close after the end of a sentence. */
const isCloser = (code: number): boolean =>
  code === 0x22 || code === 0x27 || code === 0x29 || code === 0x5d || code === 0x2019 || code === 0x201d;
/** `|`, a bullet, a middle dot, and what parts HTML from its text: they part what stands in a line. */
const isDivider = (code: number): boolean =>
  code === 0x7c || code === 0x2022 || code === 0xb7 || code === 0x3c || code === 0x3e;

/** What a request may begin with. */
const starters = wordClass.make | wordClass.tell | wordClass.shape | wordClass.put | wordClass.speak | wordClass.ask;

/**
 * The segments of a text in order. A line that goes on in lower case goes on with its sentence, so that mails wrapped at a column
 * keep theirs; a sentence may follow another without a space, as in mails made from HTML. Linear.
 */
export const segmentsOf = (text: string): readonly Segment[] => {
  const segments: Segment[] = [];
  let start = 0;
  let isRunOn = false;
  const cut = (end: number, next: number, runsOn: boolean): void => {
    let from = start;
    let to = end;
    while (from < to && isSpace(text.charCodeAt(from))) from++;
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
    if (to > from) segments.push({ start: from, end: to, isRunOn });
    start = next;
    isRunOn = runsOn;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Letters and single spaces are most of a text; what follows is about the rest.
    if (isLower(code)) continue;
    if (isUpper(code)) {
      if (at > start && runsOnAt(text, at)) cut(at, at, true);
      continue;
    }
    if (isSpace(code)) {
      const next = afterSpaces(text, at);
      if (next - at > 1 || code !== 0x20) {
        if (endsAtSpaces(text, at, next)) cut(at, next, false);
        at = next - 1;
      }
      continue;
    }
    if (isDivider(code)) cut(at, at + 1, false);
    if (code === backslash && isEscape(text.charCodeAt(at + 1))) {
      cut(at, at + 2, false);
      at++;
      continue;
    }
    if (!isEnd(code)) continue;
    let after = at + 1;
    while (after < text.length && (isEnd(text.charCodeAt(after)) || isCloser(text.charCodeAt(after)))) after++;
    if (endsSentence(text, code, after)) cut(after, after, false);
    at = after - 1;
  }
  cut(text.length, text.length, false);
  return segments;
};

const afterSpaces = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
};

/** A blank line, three spaces or a tab part; one line break does where the next line begins anew. */
const endsAtSpaces = (text: string, from: number, to: number): boolean => {
  let breaks = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === newline) breaks++;
  if (breaks > 1 || text.charCodeAt(from) === 0x09) return true;
  if (breaks === 1) return !isLower(text.charCodeAt(to));
  return to - from > 2;
};

const endsSentence = (text: string, mark: number, after: number): boolean => {
  if (after >= text.length) return true;
  const next = text.charCodeAt(after);
  if (isUpper(next)) return true;
  if (!isSpace(next)) return false;
  return mark !== 0x2e || !isLower(text.charCodeAt(afterSpaces(text, after)));
};

/** A capital after a word that ended nothing, where a request may begin: the next word has none, so it is no title. */
const runsOnAt = (text: string, at: number): boolean => {
  if (text.charCodeAt(at - 1) !== 0x20 || isSpace(text.charCodeAt(at - 2))) return false;
  let end = at + 1;
  while (end < text.length && isLower(text.charCodeAt(end))) end++;
  if (end - at < 2 || end - at > 12 || text.charCodeAt(end) !== 0x20 || isUpper(text.charCodeAt(end + 1))) return false;
  return (classesOf(text.slice(at, end).toLowerCase()) & starters) !== 0;
};
