import { classes, classOf, foldOf, type Lexicon } from "./lexicon.ts";
import { beforeColon, behindDot, inCapitals, inCommand, MetWords } from "./met.ts";

/** A stretch of text that is not written in words. */
export interface Stretch {
  readonly kind: "spaced" | "chunked" | "compact" | "token";
  readonly start: number;
  readonly end: number;
}

export interface Words {
  readonly met: MetWords;
  /** How many of them have signs for letters: their meanings are those of the second lexicon. */
  readonly leet: number;
  readonly stretches: readonly Stretch[];
}

/** What the reader knows of words that are not in the lexicon by letters. */
export interface Shapes {
  /** Meaning of `https://...`, of one that carries data, of `somebody@example.com`, of `read_file`. */
  readonly link: number;
  readonly dataLink: number;
  readonly address: number;
  readonly identifier: number;
  /** Meanings after which a verb is a command: "and", "must", "please". */
  readonly isLead: Uint8Array;
  /** Meanings that say whose a link or an address is: "evil". */
  readonly isTelling: Uint8Array;
  /** What is added to meanings of the second lexicon. */
  readonly leetFrom: number;
}

const fewestSpaced = 8;
const fewestChunks = 5;
const shortestToken = 20;
const shortestRun = 24;
/** Underscores set words of a name apart; a name of this length is a sentence. */
const longestName = 48;
const longestLink = 2_048;

/** Reads a text once. `leetLexicon` is asked for where a word first has signs for letters. Linear; what it answers grows with the known words in it. */
export const readWords = (text: string, lexicon: Lexicon, leetLexicon: () => Lexicon, shapes: Shapes): Words => {
  const met = new MetWords();
  let leet = 0;
  const stretches: Stretch[] = [];
  const { next, value } = lexicon;
  const { length } = text;
  let word = 0;
  let sentence = 0;
  let isFirst = true;
  let isLed = false;
  let isStop = false;
  let lines = 0;
  let runStart = 0;
  let singleStart = 0;
  let singles = 0;
  let chunkStart = 0;
  let chunkLength = 0;
  let chunks = 0;
  let mixedChunks = 0;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code < 128 ? classOf[code] === 0 : !isWide(code)) {
      // Not a letter: what does it say of the word that follows?
      if (code <= 32) {
        if (at - runStart >= shortestRun) stretches.push({ kind: "token", start: runStart, end: at });
        runStart = at + 1;
        if (code === 10) {
          isFirst = true;
          if (++lines > 1) sentence++;
        }
        if (isStop) {
          sentence++;
          isStop = false;
        }
      } else if (code === 92) {
        // An escaped line break or quote, as in JSON.
        const escaped = text.charCodeAt(at + 1);
        if (escaped === 110 || escaped === 114 || escaped === 116) {
          at++;
          isFirst = true;
        }
      } else if (code !== 45 && code !== 39 && code !== 95 && code !== 47) {
        isFirst = true;
        // What code is made of ends a thought wherever it stands.
        if (code === 59 || code === 61 || code === 123 || code === 125) sentence++;
        isStop = code === 46 || code === 33 || code === 63 || code === 0x3002;
        if (code === 58 && text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 47) {
          const end = endOfLink(text, at + 3);
          const start = Math.max(runStart, at - 8);
          const meaning = carriesData(text, at, end) ? shapes.dataLink : shapes.link;
          met.push(meaning, start, end, word, sentence, inCommand, 0);
          for (const telling of tellingWords(text, at + 3, end, lexicon, shapes))
            met.push(telling, start, end, word, sentence, inCommand, 0);
          word++;
          isLed = false;
          at = end;
          continue;
        }
      }
      at++;
      continue;
    }
    const start = at;
    const from = code;
    let node = 0;
    let marks = 0;
    let isWideWord = false;
    if (code >= 128 && isIdeograph(code)) {
      // Without spaces a word may begin at any character.
      at++;
      let longest = 0;
      let end = at;
      for (let look = start; look < length && look < start + 12; look++) {
        node = lexicon.step(node, text.charCodeAt(look));
        if (node === 0) break;
        if (value[node] !== 0) {
          longest = value[node]!;
          end = look + 1;
        }
      }
      if (longest !== 0) {
        met.push(longest, start, end, word, sentence, inCommand, 0);
        at = end;
      }
      word++;
      continue;
    }
    for (;;) {
      const letter = text.charCodeAt(at);
      if (letter < 128) {
        const kind = classOf[letter]!;
        if (kind === 0) break;
        if (kind > 26) marks |= kind === 37 ? 2 : kind === 38 ? 4 : 1;
        if (node !== 0 || at === start) node = next[node * classes + kind]!;
      } else {
        if (!isWide(letter) || isIdeograph(letter)) break;
        isWideWord = true;
        if (node !== 0 || at === start) node = lexicon.step(node, letter);
      }
      if (++at >= length) break;
    }
    lines = 0;
    isStop = false;
    const size = at - start;
    const behind = at < length ? text.charCodeAt(at) : 0;
    let found = node === 0 ? 0 : value[node]!;
    if (size === 1) {
      if (singles++ === 0) singleStart = start;
    } else {
      if (singles >= fewestSpaced) stretches.push({ kind: "spaced", start: singleStart, end: start });
      singles = 0;
    }
    if (size === chunkLength && size > 1) {
      chunks++;
      if ((marks & 1) !== 0) mixedChunks++;
    } else {
      if (chunks >= fewestChunks && (mixedChunks * 3 >= chunks || chunks >= 9))
        stretches.push({ kind: "chunked", start: chunkStart, end: at });
      chunkStart = start;
      chunkLength = size;
      chunks = 1;
      mixedChunks = marks & 1;
    }
    if ((marks & 4) !== 0 && from !== 64 && behind === 46) {
      at = endOfHost(text, at);
      const end = at;
      met.push(shapes.address, start, end, word, sentence, inCommand, 0);
      for (const telling of tellingWords(text, start, end, lexicon, shapes))
        met.push(telling, start, end, word, sentence, inCommand, 0);
      word++;
      isFirst = isLed = false;
      continue;
    }
    if (size >= shortestToken && (marks < 2 || (size >= longestName && (marks & 4) === 0)))
      stretches.push({ kind: "compact", start, end: at });
    if (found === 0 && (marks & 2) !== 0 && size > 3 && !isWideWord) found = shapes.identifier;
    if (found !== 0) {
      const isCapital = size > 1 && (from & 32) === 0 && from < 128 && (text.charCodeAt(start + 1) & 32) === 0;
      const flags =
        (isFirst || isLed ? inCommand : 0) |
        (isCapital ? inCapitals : 0) |
        (start > 0 && text.charCodeAt(start - 1) === 46 ? behindDot : 0) |
        (behind === 58 || behind === 93 || behind === 62 ? beforeColon : 0);
      met.push(found, start, at, word, sentence, flags, 0);
      isLed = shapes.isLead[found] === 1;
    } else {
      isLed = false;
      if ((marks & 5) !== 0 && size > 2) {
        const folded = foldedMeaning(text, start, at, leetLexicon());
        if (folded !== 0) {
          leet++;
          met.push(
            shapes.leetFrom + folded,
            start,
            at,
            word,
            sentence,
            inCommand | (behind === 58 ? beforeColon : 0),
            1,
          );
        }
      }
    }
    isFirst = false;
    word++;
  }
  if (singles >= fewestSpaced) stretches.push({ kind: "spaced", start: singleStart, end: length });
  if (chunks >= fewestChunks && (mixedChunks * 3 >= chunks || chunks >= 9))
    stretches.push({ kind: "chunked", start: chunkStart, end: length });
  if (length - runStart >= shortestRun) stretches.push({ kind: "token", start: runStart, end: length });
  return { met, leet, stretches };
};

/** Characters beyond ASCII that words are made of; punctuation and spaces of other scripts are not. */
const isWide = (code: number): boolean =>
  code >= 0xaa &&
  code !== 0xab &&
  code !== 0xbb &&
  !(code >= 0x2000 && code < 0x2070) &&
  !(code >= 0x3000 && code < 0x3005) &&
  !(code >= 0xff00 && code < 0xff10);

const isIdeograph = (code: number): boolean => (code >= 0x3040 && code < 0xa000) || (code >= 0x0e00 && code < 0x0e80);

const foldedMeaning = (text: string, start: number, end: number, lexicon: Lexicon): number => {
  let node = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? foldOf[code]! : 0;
    if (kind === 0) return 0;
    node = lexicon.next[node * classes + kind]!;
    if (node === 0) return 0;
  }
  return lexicon.value[node]!;
};

/** Letters that take the space of one word, for distances where there are no spaces. */
const lettersOfWord = 6;
const shortestHidden = 3;

/** Words in a stretch that is not written in words: letters only, signs read as letters, a word may begin anywhere. */
export const readStretch = (text: string, { start, end }: Stretch, lexicon: Lexicon): MetWords => {
  const letters = new Uint8Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    // A bar or an exclamation mark is a separator here more often than a letter.
    const kind = code < 128 && code !== 33 && code !== 124 ? foldOf[code]! : 0;
    if (kind === 0) continue;
    letters[count] = kind;
    places[count++] = at;
  }
  const met = new MetWords();
  const { next, value } = lexicon;
  for (let from = 0; from < count; from++) {
    let node = 0;
    for (let at = from; at < count; at++) {
      node = next[node * classes + letters[at]!]!;
      if (node === 0) break;
      if (value[node] === 0 || at - from < shortestHidden - 1) continue;
      const word = Math.round(from / lettersOfWord);
      met.push(value[node]!, places[from]!, places[at]! + 1, word, 0, inCommand, 0);
    }
  }
  return met;
};

const isLinkEnd = (code: number): boolean =>
  code <= 32 || code === 34 || code === 39 || code === 60 || code === 62 || code === 96 || code === 41 || code === 92;

const endOfLink = (text: string, from: number): number => {
  const most = Math.min(text.length, from + longestLink);
  let at = from;
  while (at < most && !isLinkEnd(text.charCodeAt(at))) at++;
  return at;
};

/** A value that stands for something else, in braces or capitals, or one that is long enough to hold it: `?d={history}`, `?q=USER_DATA`. */
const standIn = /=(?:[{[<$]|(?!YOUR)[A-Z][A-Z0-9_-]{4,}|[A-Za-z0-9+/_-]{64})/;

const carriesData = (text: string, from: number, end: number): boolean => {
  const link = text.slice(from, end);
  const query = link.indexOf("?");
  return query > 0 && standIn.test(link.slice(query));
};

/** Words in a link or an address that say what it is. */
const tellingWords = (
  text: string,
  from: number,
  to: number,
  { next, value }: Lexicon,
  shapes: Shapes,
): readonly number[] => {
  const told: number[] = [];
  let node = 0;
  let size = 0;
  for (let at = from; at <= to; at++) {
    const code = at < to ? text.charCodeAt(at) : 0;
    const kind = code < 128 ? classOf[code]! : 0;
    if (kind === 0 || kind > 36) {
      if (node !== 0 && value[node] !== 0 && shapes.isTelling[value[node]!] === 1) told.push(value[node]!);
      node = size = 0;
    } else {
      if (size === 0 || node !== 0) node = next[node * classes + kind]!;
      size++;
    }
  }
  return told;
};

const endOfHost = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && at < from + 256) {
    const code = text.charCodeAt(at);
    if (code !== 45 && code !== 46 && (code >= 128 || classOf[code] === 0)) break;
    at++;
  }
  return at;
};
