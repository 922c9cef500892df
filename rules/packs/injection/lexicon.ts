import { plainWord } from "../../text/normalise/letters.ts";
import { foldOf, Lexicon, type Meaning } from "../../text/words/lexicon.ts";
import type { Shapes } from "../../text/words/read.ts";
import { headsOf, type Masks, masksOf, type Reading } from "./match.ts";
import { type Concept, concepts, type Vocabulary } from "./vocabulary/concept.ts";
import { english } from "./vocabulary/english.ts";
import { languages } from "./vocabulary/languages.ts";

export const conceptNumber = (concept: Concept): number => concepts.indexOf(concept);

export interface Lexicons {
  /** Every language; English also in ROT13 and backwards. */
  readonly words: Lexicon;
  /** English, with `l` as `i`, for words in which signs stand for letters. */
  readonly leet: Lexicon;
  /** The same without the shortest words, for texts without spaces. */
  readonly compact: Lexicon;
  readonly shapes: Shapes;
  readonly read: Readonly<Record<"plain" | "rot13" | "reversed" | "leet" | "compact", Reading>>;
  /** Meanings that are written in ROT13, or backwards. */
  readonly isDisguised: Uint8Array;
  /** Meanings that are talk about injections. */
  readonly isTalk: Uint8Array;
}

/** Shorter ones, disguised, are met by chance. */
const shortestDisguised = 4;

const rot13 = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));

const foldedWord = (word: string): string =>
  word.replace(/[^a-z]/g, (sign) => String.fromCharCode(96 + (foldOf[sign.charCodeAt(0)] ?? 0))).replaceAll("l", "i");

const each = (vocabulary: Vocabulary, take: (word: string, concept: number) => void): void => {
  for (const [concept, words] of Object.entries(vocabulary))
    for (const word of words.split(" ")) take(word, conceptNumber(concept as Concept));
};

const build = (): Lexicons => {
  const words = new Lexicon();
  const leet = new Lexicon();
  const compact = new Lexicon();
  each(english, (word, concept) => {
    words.add(word, concept);
    if (!/^[a-z]+$/.test(word)) return;
    const folded = foldedWord(word);
    leet.add(folded, concept);
    if (word.length < shortestDisguised) return;
    compact.add(folded, concept);
    words.add(rot13(word), concept, "rot13");
    words.add(Array.from(word).reverse().join(""), concept, "reversed");
  });
  // Two short words that patterns need, and the beginning of a link.
  for (const word of ["all", "any"]) compact.add(foldedWord(word), conceptNumber("quant"));
  for (const word of ["http", "https"]) compact.add(foldedWord(word), conceptNumber("link"));
  for (const language of languages)
    each(language, (word, concept) => words.add(plainWord(word), concept, "plain", true));
  const shape = (concept: Concept): number => {
    // No word: a meaning of its own, at which nothing ends.
    const all = [conceptNumber(concept)];
    words.meanings.push({ plain: all, rot13: all, reversed: all, isForeign: false });
    return words.meanings.length - 1;
  };
  const shapes = {
    link: shape("link"),
    dataLink: shape("datalink"),
    address: shape("address"),
    identifier: shape("identifier"),
  };
  words.close();
  leet.close();
  compact.close();
  const flags = (isOne: (meaning: Meaning) => boolean): Uint8Array =>
    Uint8Array.from([...words.meanings, ...leet.meanings], (meaning) => (isOne(meaning) ? 1 : 0));
  const [bad, lead, meta] = [conceptNumber("bad"), conceptNumber("lead"), conceptNumber("meta")];
  const plain = masksOf(words);
  const ofLeet = masksOf(leet);
  // Meanings of the second lexicon follow those of the first; read as plain words they are none.
  const withoutLeet = new Int32Array(plain.length + ofLeet.length);
  withoutLeet.set(plain);
  const withLeet = withoutLeet.slice();
  withLeet.set(ofLeet, plain.length);
  const reading = (masks: Masks, hasSentences: boolean, hasCommands: boolean, hasOverlaps = false): Reading => ({
    masks,
    heads: headsOf(masks),
    hasSentences,
    hasCommands,
    hasOverlaps,
  });
  return Object.freeze({
    words,
    leet,
    compact,
    shapes: {
      ...shapes,
      isLead: flags(({ plain }) => plain.includes(lead)),
      isTelling: flags(({ plain, rot13, reversed }) => [plain, rot13, reversed].some((found) => found.includes(bad))),
      leetFrom: words.meanings.length,
    },
    read: {
      plain: reading(withoutLeet, true, true),
      rot13: reading(masksOf(words, "rot13"), true, false),
      reversed: reading(masksOf(words, "reversed"), false, false),
      leet: reading(withLeet, true, true),
      compact: reading(masksOf(compact), false, false, true),
    },
    isDisguised: flags(({ rot13, reversed }) => rot13.length + reversed.length > 0),
    isTalk: flags(({ plain }) => plain.includes(meta)),
  });
};

let built: Lexicons | null = null;

/** Built when the first text is read. */
export const lexicons = (): Lexicons => {
  built ??= build();
  return built;
};
