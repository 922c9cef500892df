import { type Sign, sign } from "../sign.ts";

const flag = 0x1f3f4;
const isTag = (code: number): boolean => code >= 0xe0020 && code <= 0xe007f;
const isDirection = (code: number): boolean => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
const isControl = (code: number): boolean =>
  (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) ||
  (code >= 127 && code < 160 && code !== 0x85);
/** Joiners, separators and selectors without a shape of their own. */
const isShapeless = (code: number): boolean =>
  (code >= 0x200b && code <= 0x200d) ||
  (code >= 0x2060 && code <= 0x2064) ||
  (code >= 0xfe00 && code <= 0xfe0e) ||
  (code >= 0xe0100 && code <= 0xe01ef) ||
  [0xad, 0x180e, 0xfeff, 0x115f, 0x1160, 0x3164, 0xffa0].includes(code);
/** Beside these they change nothing that anybody would want. Emoji and other scripts have a use for joiners. */
const isPlain = (code: number): boolean => code >= 32 && code < 127;

/** What of a text is not seen by whoever reviews it. */
export const hiddenKinds = (text: string): ReadonlySet<"controls" | "directions" | "tags" | "zero_width"> => {
  const found = new Set<"controls" | "directions" | "tags" | "zero_width">();
  let before = 0;
  let isFlag = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at++;
    if (code < 127 && code >= 32) {
      if (isShapeless(before)) found.add("zero_width");
      before = code;
      continue;
    }
    isFlag = code === flag || (isFlag && isTag(code));
    if (isTag(code) && !isFlag) found.add("tags");
    else if (isDirection(code)) found.add("directions");
    else if (isControl(code)) found.add("controls");
    else if (isShapeless(code) && (isPlain(before) || isShapeless(before))) found.add("zero_width");
    before = code;
  }
  return found;
};

/** `known`: kinds that the approved item has already. */
export const hiddenSigns = (text: string, known: ReadonlySet<string>): readonly Sign[] =>
  [...hiddenKinds(text)].flatMap((kind) =>
    known.has(kind)
      ? []
      : [
          kind === "zero_width"
            ? sign("hostile_definition", "high", "new text has letters that nobody sees")
            : sign("hostile_definition", "critical", "new text is written so that it is not seen as it is"),
        ],
  );

/** Letters of scripts that have look-alikes of Latin ones, beside a Latin letter. One Greek letter is a unit or a variable. */
const cyrillic = /[A-Za-z][\u0400-\u04ff\u0530-\u058f\u13a0-\u13ff]|[\u0400-\u04ff\u0530-\u058f\u13a0-\u13ff][A-Za-z]/;
const greek = /[A-Za-z]{1,64}[\u0370-\u03ff][A-Za-z]|[A-Za-z][\u0370-\u03ff][A-Za-z]{1,64}/g;
const fewestGreek = 2;

/** Words that are written in two scripts: nobody writes so who wants to be read as written. */
export const mixedSigns = (text: string, isKnown: boolean): readonly Sign[] => {
  if (isKnown || !mixesScriptsInWords(text)) return [];
  return [sign("hostile_definition", "high", "new text has letters of another script inside of its words")];
};

export const mixesScriptsInWords = (text: string): boolean =>
  /[\u0370-\u058f\u13a0-\u13ff]/.test(text) && (cyrillic.test(text) || (text.match(greek) ?? []).length >= fewestGreek);
