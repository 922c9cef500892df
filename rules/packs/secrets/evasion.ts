import { hitsOf } from "../../scan/hits.ts";
import { entropyBits } from "./strength.ts";

/** `%25252541`: each `25` is one more layer over the last. */
const layered = /%((?:25){2,64})[0-9a-f]{2}/i;

/** Layers of percent signs over one character; 0 and 1 are what URLs have. A client that encodes twice by mistake has 2. */
export const layersOf = (text: string): number => {
  if (!text.includes("%25")) return 0;
  const digits = layered.exec(text)?.[1];
  return digits === undefined ? 0 : digits.length / 2 + 1;
};

const longWords = /[A-Za-z0-9+/=_-]{20,512}/g;
const minBits = 4;

/** Words of twenty characters or more that carry four bits a character: tokens do, names and hexadecimal digests do not. */
export const randomWordsIn = (text: string): readonly string[] =>
  hitsOf(longWords, text).flatMap(({ text: word }) =>
    /[0-9]/.test(word) &&
    /[a-z]/.test(word) &&
    /[A-Z]/.test(word) &&
    !/^sha(?:1|256|384|512)-/.test(word) &&
    entropyBits(word) >= minBits
      ? [word]
      : [],
  );
