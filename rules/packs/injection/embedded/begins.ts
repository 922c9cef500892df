import type { Neighbours, Surface } from "./features.ts";
import { classesOf, wordClass } from "./lexicon.ts";
import type { Segment } from "./segments.ts";

/** What segments look like from their first word alone, as bits of a byte. */
export const beginning = Object.freeze({
  /** It has to be weighed: it may be a request, or speaks of what the reader gives. */
  mayBeTask: 1,
  isOrder: 2,
  isQuestion: 4,
});

const c = wordClass;
const order = c.make | c.tell | c.shape | c.put | c.errand | c.speak | c.call;
/** Signs before the first word: a quote, a number, a hyphen. */
const maxBefore = 8;
const maxWord = 14;
const questionMark = 0x3f;
const isWordUnit = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || code === 0x27;

/** A byte for each segment. Cheap: most sentences of a mail begin otherwise and are looked at no further. */
export const beginningsOf = ({ lower }: Surface, segments: readonly Segment[]): Uint8Array => {
  const bytes = new Uint8Array(segments.length);
  let your = lower.indexOf("your ");
  for (let at = 0; at < segments.length; at++) {
    const { start, end } = segments[at] as Segment;
    while (your >= 0 && your < start) your = lower.indexOf("your ", your + 1);
    const bits = classesOf(firstWord(lower, start, end));
    let byte = 0;
    if ((bits & (order | c.ask | c.lead | c.clause)) !== 0 || (your >= 0 && your < end)) byte |= beginning.mayBeTask;
    if ((bits & order) !== 0 && (bits & c.ask) === 0) byte |= beginning.isOrder;
    if (lower.charCodeAt(end - 1) === questionMark) byte |= beginning.isQuestion;
    bytes[at] = byte;
  }
  return bytes;
};

const firstWord = (lower: string, start: number, end: number): string => {
  let from = start;
  while (from < end && from < start + maxBefore && !isWordUnit(lower.charCodeAt(from))) from++;
  let to = from;
  while (to < end && to < from + maxWord && isWordUnit(lower.charCodeAt(to))) to++;
  return lower.slice(from, to);
};

/** The two segments on either side of one. */
export const neighboursOf = (bytes: Uint8Array, at: number): Neighbours => {
  let orders = 0;
  let questions = 0;
  for (let other = Math.max(0, at - 2); other <= at + 2 && other < bytes.length; other++) {
    if (other === at) continue;
    if (((bytes[other] as number) & beginning.isOrder) !== 0) orders++;
    if (((bytes[other] as number) & beginning.isQuestion) !== 0) questions++;
  }
  return { orders, questions };
};
