import { type Disguise, disguises, Lexicon, perMeaning } from "../../text/words/lexicon.ts";
import type { Shapes } from "../../text/words/read.ts";
import { Heads, type Masks, type Reading } from "./match.ts";
import { type Concept, concepts, type Vocabulary } from "./vocabulary/concept.ts";
import { english } from "./vocabulary/english.ts";
import { languages } from "./vocabulary/languages.ts";

const conceptNumber = (concept: Concept): number => concepts.indexOf(concept);

export interface Lexicons {
  /** Every language; English also in ROT13 and backwards. */
  readonly words: Lexicon;
  /** English, with `l` as `i`, for words in which signs stand for letters. Built when a text first has such a word. */
  readonly leet: () => Lexicon;
  /** The same without the shortest words, for texts without spaces. Built when there first is one. */
  readonly compact: () => { readonly lexicon: Lexicon; readonly read: Reading };
  readonly shapes: Shapes;
  readonly read: Readonly<Record<Disguise, Reading>>;
  /** Reads words of `words` and of `leet`. */
  readonly readLeet: () => Reading;
  /** Meanings that are written in ROT13, or backwards. */
  readonly isDisguised: Uint8Array;
  /** Meanings that are talk about injections. */
  readonly isTalk: Uint8Array;
}

/** Shorter ones, disguised, are met by chance. */
const shortestDisguised = 4;
const isLetters = (word: string): boolean => /^[a-z]+$/.test(word);
const isDisguisable = (word: string): boolean => word.length >= shortestDisguised && isLetters(word);

/** Lists of words are disguised as a whole: what is between the words stays between them. */
const rot13 = (list: string): string => {
  let made = "";
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at);
    made += code >= 97 && code <= 122 ? String.fromCharCode(((code - 97 + 13) % 26) + 97) : list[at];
  }
  return made;
};
const backwards = (list: string): string => list.split("").reverse().join("");
/** `1` is written for both letters. */
const folded = (list: string): string => list.replaceAll("l", "i");

/**
 * The plain letters of a list. What plain letters are of any text takes a look at each character; words of the vocabulary are written
 * without most of what that takes away.
 */
export const plainList = (list: string): string =>
  isKorean.test(list) ? list : list.normalize("NFD").replace(marks, "");
/** Its syllables stay whole. */
const isKorean = /[\uac00-\ud7a3]/;
const marks = /[\u0300-\u036f\u064b-\u0652]/g;

const each = (vocabulary: Vocabulary, take: (list: string, concept: number) => void): void => {
  for (const [concept, list] of Object.entries(vocabulary)) take(list, conceptNumber(concept as Concept));
};

/** Room for the words that there are, and some. */
const roomOfWords = { nodes: 16_384, meanings: 6_144 };
const roomOfEnglish = { nodes: 4_096, meanings: 1_536 };

const wordsOf = (): Lexicon => {
  const words = new Lexicon(roomOfWords);
  each(english, (list, concept) => {
    for (const word of list.split(" ")) words.add(word, concept);
    for (const word of rot13(list).split(" ")) if (isDisguisable(word)) words.add(word, concept, "rot13");
    for (const word of backwards(list).split(" ")) if (isDisguisable(word)) words.add(word, concept, "reversed");
  });
  for (const language of languages)
    each(language, (list, concept) => {
      for (const word of plainList(list).split(" ")) words.add(word, concept, "plain", true);
    });
  return words;
};

const leetWords = (): Lexicon => {
  const leet = new Lexicon(roomOfEnglish);
  each(english, (list, concept) => {
    for (const word of folded(list).split(" ")) if (isLetters(word)) leet.add(word, concept);
  });
  return leet.close();
};

const compactWords = (): Lexicon => {
  const compact = new Lexicon(roomOfEnglish);
  each(english, (list, concept) => {
    for (const word of folded(list).split(" ")) if (isDisguisable(word)) compact.add(word, concept);
  });
  // Two short words that patterns need, and the beginning of a link.
  for (const word of ["all", "any"]) compact.add(folded(word), conceptNumber("quant"));
  for (const word of ["http", "https"]) compact.add(word, conceptNumber("link"));
  return compact.close();
};

const reading = (masks: Masks, hasSentences: boolean, hasCommands: boolean, hasOverlaps = false): Reading => ({
  masks,
  heads: new Heads(masks),
  hasSentences,
  hasCommands,
  hasOverlaps,
});

/** Marks, from meaning `from` on, those of a lexicon that mean a concept. */
const mark = (
  marks: Uint8Array,
  from: number,
  { masks, meanings }: Lexicon,
  disguise: Disguise,
  concept: number,
): void => {
  const table = masks[disguise];
  const bit = 1 << (concept & 31);
  for (let meaning = 0; meaning < meanings; meaning++)
    if ((table[meaning * perMeaning + (concept >> 5)]! & bit) !== 0) marks[from + meaning] = 1;
};

const build = (): Lexicons => {
  const words = wordsOf();
  const shapes = {
    link: words.addShape(conceptNumber("link")),
    dataLink: words.addShape(conceptNumber("datalink")),
    address: words.addShape(conceptNumber("address")),
    identifier: words.addShape(conceptNumber("identifier")),
  };
  words.close();
  // Meanings of the second lexicon, of which there are fewer, follow those of the first; read as plain words they are none.
  const leetFrom = words.meanings;
  const all = leetFrom * 2;
  const masksIn = (disguise: Disguise): Masks => {
    const masks = new Int32Array(all * perMeaning);
    masks.set(words.masks[disguise].subarray(0, leetFrom * perMeaning));
    return masks;
  };
  const plain = masksIn("plain");
  const isLead = new Uint8Array(leetFrom);
  mark(isLead, 0, words, "plain", conceptNumber("lead"));
  const isTelling = new Uint8Array(leetFrom);
  for (const disguise of disguises) mark(isTelling, 0, words, disguise, conceptNumber("bad"));
  const isTalk = new Uint8Array(all);
  mark(isTalk, 0, words, "plain", conceptNumber("meta"));
  const rot13 = masksIn("rot13");
  const reversed = masksIn("reversed");
  const isDisguised = new Uint8Array(all);
  for (let at = 0; at < leetFrom * perMeaning; at++)
    if ((rot13[at]! | reversed[at]!) !== 0) isDisguised[Math.floor(at / perMeaning)] = 1;

  let leet: Lexicon | null = null;
  const leetOnce = (): Lexicon => {
    if (leet === null) {
      leet = leetWords();
      mark(isTalk, leetFrom, leet, "plain", conceptNumber("meta"));
    }
    return leet;
  };
  let readLeet: Reading | null = null;
  const readLeetOnce = (): Reading => {
    if (readLeet === null) {
      const { masks, meanings } = leetOnce();
      const both = plain.slice();
      both.set(masks.plain.subarray(0, meanings * perMeaning), leetFrom * perMeaning);
      readLeet = reading(both, true, true);
    }
    return readLeet;
  };
  let compact: { lexicon: Lexicon; read: Reading } | null = null;
  const compactOnce = () => {
    if (compact === null) {
      const lexicon = compactWords();
      compact = { lexicon, read: reading(lexicon.masks.plain, false, false, true) };
    }
    return compact;
  };
  return Object.freeze({
    words,
    leet: leetOnce,
    compact: compactOnce,
    shapes: { ...shapes, isLead, isTelling, leetFrom },
    read: {
      plain: reading(plain, true, true),
      rot13: reading(rot13, true, false),
      reversed: reading(reversed, false, false),
    },
    readLeet: readLeetOnce,
    isDisguised,
    isTalk,
  });
};

let built: Lexicons | null = null;

/** Built when the first text is read. */
export const lexicons = (): Lexicons => {
  built ??= build();
  return built;
};
