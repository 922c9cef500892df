import { layersOf } from "../../text/decode/layers.ts";
import { type Mapped, through, unchanged } from "../../text/mapped.ts";
import { inPlainLetters, isAscii } from "../../text/normalise/letters.ts";
import { asItLooks, hasLookAlikes, haveLookAlikes, mixesScripts } from "../../text/normalise/look-alikes.ts";
import { controlSequences, hasControls, withoutControls } from "../../text/normalise/terminal.ts";
import { readStretch, readWords, type Stretch, type Words } from "../../text/words/read.ts";
import { type Lexicons, lexicons } from "./lexicon.ts";
import { signalsIn } from "./match.ts";
import { hasOneWithin, weighMentions } from "./mention.ts";
import type { Passage, Signal, SignalSource } from "./signal.ts";

/** Shorter than any order. */
const shortestText = 6;

/** Layers of encoding that are opened. */
const deepest = 4;

/** One word with a digit in it is a name or a version. */
const fewestLeet = 2;

/** Whoever disguises what he says has a reason: the same signs count for more. */
const disguised = (signals: readonly Signal[]): readonly Signal[] =>
  signals.map((signal) => ({ ...signal, weight: 1 - (1 - signal.weight) ** 1.6 }));

/** What a text says to its reader, in any of the ways in which it can be written. */
export const wordsSource: SignalSource = Object.freeze({
  id: "words",
  signals: ({ text }: Passage) => signalsOf(unchanged(text), 0),
});

const signalsOf = (given: Mapped, depth: number): readonly Signal[] => {
  if (given.text.length < shortestText) return [];
  const seen = hasControls(given.text)
    ? through(given, withoutControls(given.text, controlSequences(given.text)))
    : given;
  if (isAscii(seen.text)) return signalsOfView(seen, depth);
  const plain = through(seen, inPlainLetters(seen.text));
  const signals = signalsOfView(plain, depth);
  if (!haveLookAlikes() || !mixesScripts(plain.text)) return signals;
  const looks = asItLooks(plain.text);
  // What reads the same in both was found already.
  const others = signalsOfView(looks, depth)
    .filter(({ start, end }) => hasLookAlikes(plain.text.slice(start, end)))
    .map((signal) => ({ ...signal, ...plain.origin(signal.start, signal.end) }));
  return [...signals, ...disguised(others)];
};

const signalsOfView = (view: Mapped, depth: number): readonly Signal[] => {
  const known = lexicons();
  const words = readWords(view.text, known.words, known.leet, known.shapes);
  // Most short texts have no word that is known, and nothing that could be one.
  if (words.met.count === 0 && words.stretches.length === 0) {
    const layers = inLayers(view, words, depth);
    return layers.length === 0 ? none : disguised(layers);
  }
  const found = [...inSentences(view.text, words, known), ...disguised(inDisguise(words, known))];
  for (const stretch of words.stretches) found.push(...disguised(inStretch(view.text, stretch, known)));
  words.met.close();
  const placed = found.map((signal) => ({ ...signal, ...view.origin(signal.start, signal.end) }));
  return [...placed, ...disguised(inLayers(view, words, depth))];
};

const none: readonly Signal[] = Object.freeze([]);

const inSentences = (text: string, { met, leet }: Words, { read, readLeet, isTalk }: Lexicons): readonly Signal[] => {
  const plain = weighMentions(signalsIn(met, read.plain), text, met, isTalk);
  if (leet < fewestLeet) return plain;
  const odd: number[] = [];
  for (let row = 0; row < met.count; row++) if (met.kind(row) === 1) odd.push(met.start(row));
  const holdsOdd = ({ start, end }: Signal): boolean => hasOneWithin(odd, start, end);
  const signals = signalsIn(met, readLeet()).filter(holdsOdd);
  return [...plain, ...disguised(weighMentions(signals, text, met, isTalk))];
};

const inDisguise = ({ met }: Words, { read, isDisguised, shapes }: Lexicons): readonly Signal[] => {
  let count = 0;
  for (let row = 0; row < met.count; row++) count += isDisguised[met.meaning(row)]!;
  if (count < 2) return [];
  const odd = met.filter((row) => isDisguised[met.meaning(row)] === 1 || met.meaning(row) >= shapes.link);
  return [...signalsIn(odd, read.rot13), ...signalsIn(odd.reversed(), read.reversed)];
};

const inStretch = (text: string, stretch: Stretch, { compact }: Lexicons): readonly Signal[] => {
  if (stretch.kind === "token" || (stretch.kind === "compact" && !isRunTogether(text, stretch))) return [];
  const { lexicon, read } = compact();
  const met = readStretch(text, stretch, lexicon);
  return met.count < 2 ? [] : signalsIn(met, read);
};

/** Words run together are in one case, and are not hexadecimal. */
const isRunTogether = (text: string, { start, end }: Stretch): boolean => {
  const token = text.slice(start, end);
  return !/[a-z][A-Z]|[A-Z][a-z]{0,2}[A-Z]/.test(token.slice(1)) && /[g-z]/i.test(token);
};

const inLayers = (view: Mapped, { stretches }: Words, depth: number): readonly Signal[] => {
  if (depth >= deepest) return [];
  const tokens = stretches.filter(({ kind }) => kind === "token");
  const groups = stretches.filter(({ kind }) => kind === "chunked");
  return layersOf(view.text, tokens, groups).flatMap((layer) => {
    const { start, end } = view.origin(layer.start, layer.end);
    return signalsOf(unchanged(layer.text), depth + 1)
      .filter((signal) => signal.start < layer.to && signal.end > layer.from)
      .map((signal) => ({ ...signal, start, end }));
  });
};
