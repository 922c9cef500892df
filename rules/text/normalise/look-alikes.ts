import { type Mapped, MappedText } from "../mapped.ts";
import { isAscii } from "./letters.ts";

/**
 * Letters of other scripts that look like ASCII (Unicode TR39). Its table takes 20 ms to load, so it is loaded when a word first mixes
 * scripts.
 */
let skeletonOf: ((text: string) => string) | null = null;

export const haveLookAlikes = (): boolean => skeletonOf !== null;

export const loadLookAlikes = async (): Promise<void> => {
  skeletonOf ??= (await import("unhomoglyph")).default;
};

/** Of scripts that hold letters which look like Latin ones: Greek, Cyrillic, Armenian, Cherokee, Lisu, Coptic, phonetic letters. */
const similar = String.raw`[\u0180-\u02af\u0370-\u058f\u10a0-\u10ff\u13a0-\u13ff\u1d00-\u1dbf\u2c80-\u2cff\ua4d0-\ua4ff\ua640-\ua69f\uab30-\uabbf]`;
const any = new RegExp(similar);

/** Before it are no such letters. */
const firstSimilar = 0x180;
const mayBeSimilar = /[\u0180-\uffff]/g;

const isLatin = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Does a word mix Latin letters with others that look like them? Looks at what stands beside the others, which are few in most texts. */
export const mixesScripts = (text: string): boolean => {
  if (isAscii(text)) return false;
  const { length } = text;
  mayBeSimilar.lastIndex = 0;
  for (let hit = mayBeSimilar.exec(text); hit !== null; hit = mayBeSimilar.exec(text)) {
    let at = hit.index;
    for (; at < length && text.charCodeAt(at) >= firstSimilar; at++) {
      const isBeside = isLatin(text.charCodeAt(at - 1)) || isLatin(text.charCodeAt(at + 1));
      if (isBeside && any.test(text.charAt(at))) return true;
    }
    mayBeSimilar.lastIndex = at;
  }
  return false;
};

export const hasLookAlikes = (text: string): boolean => any.test(text);

const known = new Map<string, string>();

const looksLike = (letter: string): string => {
  const before = known.get(letter);
  if (before !== undefined) return before;
  const looks = (skeletonOf?.(letter) ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  known.set(letter, looks);
  return looks;
};

/** The text as it looks. Only after `loadLookAlikes`. */
export const asItLooks = (text: string): Mapped => {
  const made = new MappedText(text);
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x180) continue;
    const letter = text.charAt(at);
    if (!any.test(letter)) continue;
    made.copy(done, at);
    made.put(looksLike(letter), at, at + 1);
    done = at + 1;
  }
  made.copy(done, text.length);
  return made.done();
};
