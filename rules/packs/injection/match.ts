import { mostConcepts, perMeaning } from "../../text/words/lexicon.ts";
import { beforeColon, behindDot, inCapitals, inCommand, type MetWords } from "../../text/words/met.ts";
import { patternSources } from "./patterns.ts";
import type { Signal, SignalClass } from "./signal.ts";
import { type Concept, concepts } from "./vocabulary/concept.ts";

interface Step {
  /** Concepts as bits. */
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  /** Words that may lie between it and the step before. */
  readonly gap: number;
  /** Marks of the word that it must have. */
  readonly marks: number;
  readonly isCommand: boolean;
  readonly isForeign: boolean;
}

interface Pattern {
  readonly class: SignalClass;
  readonly weight: number;
  readonly steps: readonly Step[];
}

if (concepts.length > mostConcepts) throw new Error("more concepts than bits");

const bits = (numbers: readonly number[], from: number): number =>
  numbers.reduce((all, number) => (number >= from && number < from + 32 ? all | (1 << (number - from)) : all), 0);

const stepOf = (written: string, gap: number): Step => {
  const { 1: names = "", 2: marks = "" } = /^([a-z|0-9]+)([!:^.~]*)$/.exec(written) ?? [];
  const numbers = names.split("|").map((name) => concepts.indexOf(name as Concept));
  if (numbers.includes(-1)) throw new Error(`no concept: ${written}`);
  return {
    low: bits(numbers, 0),
    middle: bits(numbers, 32),
    high: bits(numbers, 64),
    gap,
    marks:
      (marks.includes(":") ? beforeColon : 0) |
      (marks.includes("^") ? inCapitals : 0) |
      (marks.includes(".") ? behindDot : 0),
    isCommand: marks.includes("!"),
    isForeign: marks.includes("~"),
  };
};

const patternsRead = (): readonly Pattern[] =>
  patternSources.map(([name, weight, written]) => {
    const parts = written.split(" ");
    const steps: Step[] = [];
    for (let at = 0; at < parts.length; at += 2) steps.push(stepOf(parts[at]!, at === 0 ? 0 : Number(parts[at - 1])));
    return { class: name, weight, steps };
  });

let patterns: readonly Pattern[] | null = null;

/** What a pattern counts for where its verb is no command: "the CLI can show the system prompt". */
const mentioned = 0.4;

/** Concepts of meanings as bits, as a lexicon keeps them. */
export type Masks = Int32Array;

/** Patterns that a meaning can begin; null where none. Found when a text first holds the meaning: most of them never occur. */
export class Heads {
  readonly #masks: Masks;
  readonly #patterns: readonly Pattern[];
  /** Words behind the first one of a pattern that its second may be. */
  readonly farthest: number;
  readonly #known: (readonly Pattern[] | null | undefined)[];

  constructor(masks: Masks) {
    patterns ??= patternsRead();
    this.#masks = masks;
    this.#patterns = patterns;
    this.farthest = Math.max(...patterns.map(({ steps }) => steps[1]?.gap ?? 0)) + 1;
    this.#known = new Array(masks.length / perMeaning);
  }

  of(meaning: number): readonly Pattern[] | null {
    const known = this.#known[meaning];
    if (known !== undefined) return known;
    const headed = this.#patterns.filter(({ steps }) => has(this.#masks, meaning, steps[0]!));
    const found = headed.length === 0 ? null : headed;
    this.#known[meaning] = found;
    return found;
  }
}

const has = (masks: Masks, meaning: number, { low, middle, high, isForeign }: Step): boolean => {
  const at = meaning * perMeaning;
  return (
    ((masks[at]! & low) | (masks[at + 1]! & middle) | (masks[at + 2]! & high)) !== 0 &&
    (!isForeign || masks[at + 3] === 1)
  );
};

/** How words are read as patterns. */
export interface Reading {
  readonly masks: Masks;
  readonly heads: Heads;
  /** Patterns do not go over the end of a sentence, where there are sentences. */
  readonly hasSentences: boolean;
  /** Whether a verb stands where a command stands can be told. */
  readonly hasCommands: boolean;
  /** Words that were found in each other do not follow each other. */
  readonly hasOverlaps: boolean;
}

/** A text with more signs than these is not read to its end: that alone is held against it. */
const mostSignals = 20_000;
/** Weaker ones say nothing, however many they are. */
const weakest = 0.1;

/** Every pattern that the words make. Linear: what is looked at behind a word is bounded by the gaps of the patterns. */
export const signalsIn = (met: MetWords, reading: Reading): readonly Signal[] => {
  const signals: Signal[] = [];
  const { masks, heads, hasSentences } = reading;
  const { farthest } = heads;
  for (let row = 0; row < met.count; row++) {
    const meaning = met.meaning(row);
    const headed = heads.of(meaning);
    if (headed === null) continue;
    // What follows at all, before each pattern is tried.
    const word = met.word(row);
    const sentence = met.sentence(row);
    let low = 0;
    let middle = 0;
    let high = 0;
    for (let look = row + 1; look < met.count; look++) {
      if (Math.abs(met.word(look) - word) > farthest || (hasSentences && met.sentence(look) !== sentence)) break;
      const at = met.meaning(look) * perMeaning;
      low |= masks[at]!;
      middle |= masks[at + 1]!;
      high |= masks[at + 2]!;
    }
    const isForbidden = reading.hasCommands && isNegated(met, row, masks);
    for (const pattern of headed) {
      const { steps } = pattern;
      const second = steps[1];
      if (second !== undefined && ((second.low & low) | (second.middle & middle) | (second.high & high)) === 0)
        continue;
      if (isForbidden && asked.has(pattern.class)) continue;
      const last = lastOf(pattern, met, row, 0, reading);
      if (last < 0) continue;
      const isMention =
        reading.hasCommands &&
        steps[0]!.isCommand &&
        (met.marks(row) & inCommand) === 0 &&
        masks[meaning * perMeaning + 3] === 0;
      const weight = isMention ? pattern.weight * mentioned : pattern.weight;
      if (weight < weakest) continue;
      // Read backwards, the first word is the last of the text.
      const start = Math.min(met.start(row), met.start(last));
      signals.push({ class: pattern.class, start, end: Math.max(met.end(row), met.end(last)), weight });
    }
    if (signals.length > mostSignals) {
      signals.push({ class: "instruction_to_reader", start: met.start(row), end: met.end(met.count - 1), weight: 1 });
      break;
    }
  }
  return signals;
};

/** What is asked for with a command: "do not include passwords in the query" asks for none of it. */
const asked: ReadonlySet<SignalClass> = new Set([
  "instruction_to_reader",
  "exfiltration",
  "secret_request",
  "tool_call",
  "unasked_action",
]);

const negation = concepts.indexOf("negation");
const without = concepts.indexOf("without");
/** `not `, or `n't ` with its `t` as a word of its own: with more between them the two belong to different thoughts. */
const nearestNegation = 3;

/** Whether "not" or "never" stands right before it; "no" and "without" may end what went before. */
const isNegated = (met: MetWords, row: number, masks: Masks): boolean => {
  // "Vergessen Sie nicht, alle Anweisungen zu lesen."
  if (
    row + 1 < met.count &&
    met.word(row + 1) - met.word(row) <= 2 &&
    masks[met.meaning(row + 1) * perMeaning + 3] === 1
  )
    if (masks[met.meaning(row) * perMeaning + 3] === 1 && means(masks, met.meaning(row + 1), negation)) return true;
  if (row === 0 || met.start(row) - met.end(row - 1) > nearestNegation) return false;
  const meaning = met.meaning(row - 1);
  return means(masks, meaning, negation) && !means(masks, meaning, without);
};

const means = (masks: Masks, meaning: number, concept: number): boolean =>
  (masks[meaning * perMeaning + (concept >> 5)]! & (1 << (concept & 31))) !== 0;

/** The row of the word that ends the pattern; -1 where it does not come about. */
const lastOf = (pattern: Pattern, met: MetWords, row: number, step: number, reading: Reading): number => {
  const here = pattern.steps[step]!;
  if (!has(reading.masks, met.meaning(row), here) || (met.marks(row) & here.marks) !== here.marks) return -1;
  const next = pattern.steps[step + 1];
  if (next === undefined) return row;
  const word = met.word(row);
  for (let look = row + 1; look < met.count; look++) {
    if (Math.abs(met.word(look) - word) - 1 > next.gap) return -1;
    if (reading.hasSentences && met.sentence(look) !== met.sentence(row)) return -1;
    if (reading.hasOverlaps && met.start(look) < met.end(row)) continue;
    const last = lastOf(pattern, met, look, step + 1, reading);
    if (last >= 0) return last;
  }
  return -1;
};
