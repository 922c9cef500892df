import type { MetWords } from "../../text/words/met.ts";
import { quotationAround } from "./quotation.ts";
import type { Signal } from "./signal.ts";

/**
 * Talk about injections is not an injection: "phrases like 'ignore all previous instructions' are examples of attacks". What is set in
 * quotation marks beside a word of such talk counts for next to nothing. Whoever attacks can write so too, but a text that shows its
 * sentence as an example tells nobody to follow it.
 */
const shown = 0.12;
/** Such talk without quotation marks. */
const discussed = 0.5;

const nearQuotation = 200;
const nearSentence = 70;
const longQuotation = 200;

/** Talk that names more injections than these is not talk. */
const mostMentions = 2_000;

export const weighMentions = (
  signals: readonly Signal[],
  text: string,
  met: MetWords,
  isTalk: Uint8Array,
): readonly Signal[] => {
  if (signals.length === 0 || signals.length > mostMentions) return signals;
  const talk: number[] = [];
  for (let row = 0; row < met.count; row++) if (isTalk[met.meaning(row)] === 1) talk.push(met.start(row));
  if (talk.length === 0) return signals;
  return signals.map((signal) => {
    const { start, end, weight } = signal;
    const quotation = quotationAround(text, start, end);
    if (quotation !== null) {
      const { open, close } = quotation;
      const around = countWithin(talk, open - nearQuotation, open) + countWithin(talk, close, close + nearQuotation);
      if (around >= (close - open > longQuotation ? 2 : 1)) return { ...signal, weight: weight * shown };
      return signal;
    }
    return countWithin(talk, start - nearSentence, start) >= 2 ? { ...signal, weight: weight * discussed } : signal;
  });
};

/** How many of the places, which are in order, lie in a stretch. */
const countWithin = (places: readonly number[], from: number, to: number): number =>
  firstFrom(places, to) - firstFrom(places, from);

export const hasOneWithin = (places: readonly number[], from: number, to: number): boolean =>
  countWithin(places, from, to) > 0;

const firstFrom = (places: readonly number[], place: number): number => {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
};
