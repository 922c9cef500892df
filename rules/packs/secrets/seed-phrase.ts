import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english";
import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";
import { sure } from "./kind.ts";

/** Twelve words or more, of three to eight small letters each, with nothing but one separator between them. */
const manyWords = /(?<![A-Za-z])[a-z]{3,8}(?:[ \t\r\n,|-]{1,3}(?:[0-9]{1,2}[.):]? ?)?[a-z]{3,8}){11,63}(?![A-Za-z])/g;
/** A longer text is looked through only around the words that go with one. */
const maxPlainCharacters = 16 * 1024;
const hintedCharacters = 512;
const hint = /mnemonic|seed.?phrase|recovery.?phrase|wallet/gi;
const word = /[a-z]{3,8}/g;
/** BIP 39: 12, 15, 18, 21 or 24 words. */
const lengths = [24, 21, 18, 15, 12] as const;

/** More words of the list in a row are the list. */
const maxRowWords = 40;

let indices: ReadonlyMap<string, number> | null = null;
const indexOf = (text: string): number | undefined => {
  indices ??= new Map(wordlist.map((known, index) => [known, index]));
  return indices.get(text);
};

interface Placed {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Seed phrases of wallets: words of the list of BIP 39 whose checksum holds. */
export const seedPhrasesIn = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  if (text.length <= maxPlainCharacters) seedPhrases(text, 0, spans);
  else {
    let end = 0;
    for (const hit of hitsOf(hint, text)) {
      if (hit.start < end) continue;
      const start = Math.max(end, hit.start - hintedCharacters);
      end = Math.min(text.length, hit.start + 2 * hintedCharacters);
      seedPhrases(text.slice(start, end), start, spans);
    }
  }
  return spans;
};

const fewestWords = 12;

/** May twelve such words stand in a row? One look at each letter, since the pattern begins anew at each word of a sentence. */
const mayHoldRow = (text: string): boolean => {
  let words = 0;
  let letters = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code >= 97 && code <= 122) letters++;
    else {
      if (letters > 0) {
        words = letters >= 3 && letters <= 8 ? words + 1 : 0;
        if (words >= fewestWords) return true;
        letters = 0;
      }
      if (!isBetween(code)) words = 0;
    }
  }
  return false;
};

/** A separator, or a part of the number of a word: white space, `, | -`, digits, `. ) :`. */
const isBetween = (code: number): boolean =>
  code === 32 ||
  code === 44 ||
  code === 10 ||
  code === 13 ||
  code === 9 ||
  code === 124 ||
  code === 45 ||
  code === 46 ||
  code === 41 ||
  (code >= 48 && code <= 58);

const seedPhrases = (text: string, offset: number, spans: Span[]): void => {
  if (!mayHoldRow(text)) return;
  for (const hit of hitsOf(manyWords, text)) {
    let row: Placed[] = [];
    const close = (): void => {
      const found = row.length >= 12 && row.length <= maxRowWords ? phraseIn(row) : null;
      if (found !== null) spans.push(found);
      row = [];
    };
    for (const { text: known, start, end } of hitsOf(word, hit.text)) {
      const index = indexOf(known);
      if (index === undefined) close();
      else row.push({ index, start: offset + hit.start + start, end: offset + hit.start + end });
    }
    close();
  }
};

const phraseIn = (row: readonly Placed[]): Span | null => {
  for (const length of lengths)
    for (let from = 0; from + length <= row.length; from++) {
      const words = row.slice(from, from + length);
      if (!isWhole(words.map(({ index }) => index))) continue;
      return {
        class: "wallet_seed_phrase",
        start: words[0]!.start,
        end: words.at(-1)!.end,
        confidence: sure,
        encodings: [],
      };
    }
  return null;
};

/** The last bits are the first of the digest of the others. */
const isWhole = (words: readonly number[]): boolean => {
  const bits = words.map((index) => index.toString(2).padStart(11, "0")).join("");
  const checksumBits = bits.length / 33;
  const entropy = bits.slice(0, bits.length - checksumBits);
  const bytes = Buffer.from(entropy.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const digest = createHash("sha256").update(bytes).digest()[0]!.toString(2).padStart(8, "0");
  return bits.slice(-checksumBits) === digest.slice(0, checksumBits);
};
