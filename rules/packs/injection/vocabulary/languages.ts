import { arabic, chinese, hindi, indonesian, japanese, korean, turkish, vietnamese } from "./asian.ts";
import type { Vocabulary } from "./concept.ts";
import { danish, dutch, german, swedish } from "./germanic.ts";
import { french, italian, portuguese, romanian, spanish } from "./romance.ts";
import { czech, polish, russian, ukrainian } from "./slavic.ts";

/** Every language but English. */
export const languages: readonly Vocabulary[] = [
  french,
  spanish,
  italian,
  portuguese,
  romanian,
  german,
  dutch,
  swedish,
  danish,
  russian,
  ukrainian,
  polish,
  czech,
  chinese,
  japanese,
  korean,
  turkish,
  vietnamese,
  indonesian,
  hindi,
  arabic,
];
