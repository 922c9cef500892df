import { type Mapped, MappedText, unchanged } from "../mapped.ts";

/** Letters that no normalisation form takes apart. */
const apart: Readonly<Record<string, string>> = {
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  "‘": "'",
  "’": "'",
  "‚": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
  "\u2028": "\n",
  "\u2029": "\n",
};

const known = new Map<string, string>();
const mostKnown = 20_000;

/**
 * One character without what disguises it: compatibility forms (full width, mathematical, circled), accents, and characters that are
 * not seen. Tag characters are the letters that they tag. In lower case.
 */
const bare = (character: string): string => {
  const before = known.get(character);
  if (before !== undefined) return before;
  const code = character.codePointAt(0)!;
  const made = madeOf(character, code);
  if (known.size >= mostKnown) known.clear();
  known.set(character, made);
  return made;
};

const madeOf = (character: string, code: number): string => {
  if (code >= 0xe0020 && code <= 0xe007e) return String.fromCharCode(code - 0xe0000);
  if (/^(?:\p{Cf}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|[\u0300-\u036f])$/u.test(character))
    return "";
  const wide = character.normalize("NFKC").toLowerCase();
  // Syllables of Korean stay whole.
  const taken =
    code >= 0xac00 && code <= 0xd7a3 ? wide : wide.normalize("NFD").replace(/[\u0300-\u036f\u064b-\u0652]/g, "");
  if (/^\p{Zs}$/u.test(character)) return " ";
  return apart[taken] ?? taken;
};

/** No character beyond ASCII: as many bytes as characters. */
export const isAscii = (text: string): boolean => {
  if (text !== last.text) last = { text, is: Buffer.byteLength(text, "utf8") === text.length };
  return last.is;
};

/** Several sources ask of the same text one after the other. */
let last = { text: "", is: true };

const knownRuns = new Map<string, string>();
const longestKnownRun = 24;

/** A run in which every character became as many, the same one often; null where one did not. */
const alignedRun = (run: string): string | null => {
  const before = knownRuns.get(run);
  if (before !== undefined) return before;
  let made = "";
  for (const character of run) {
    const plain = bare(character);
    if (plain.length !== character.length) return null;
    made += plain;
  }
  if (run.length > longestKnownRun) return made;
  if (knownRuns.size >= mostKnown) knownRuns.clear();
  knownRuns.set(run, made);
  return made;
};

const beyondAscii = /[\u0080-\uffff]+/g;

/** A text in plain letters. ASCII is left as it is, in its case. */
export const inPlainLetters = (text: string): Mapped => {
  const made = new MappedText(text);
  let done = 0;
  beyondAscii.lastIndex = 0;
  for (let hit = beyondAscii.exec(text); hit !== null; hit = beyondAscii.exec(text)) {
    const [run] = hit;
    made.copy(done, hit.index);
    done = hit.index + run.length;
    const aligned = alignedRun(run);
    if (aligned !== null) made.put(aligned, hit.index, done);
    else putEach(made, run, hit.index);
  }
  if (done === 0) return unchanged(text);
  made.copy(done, text.length);
  return made.done();
};

const putEach = (made: MappedText, run: string, index: number): void => {
  let at = index;
  for (const character of run) {
    made.put(bare(character), at, at + character.length);
    at += character.length;
  }
};
