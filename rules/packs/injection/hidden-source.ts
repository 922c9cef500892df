import { looksLikeMarkup, pageOf } from "../../text/markup/html.ts";
import { isAscii } from "../../text/normalise/letters.ts";
import { controlSequences, hasControls } from "../../text/normalise/terminal.ts";
import type { Passage, Signal, SignalSource } from "./signal.ts";
import { wordsSource } from "./words-source.ts";

/** Signs of any weight in a place that people do not see are meant for somebody else. */
const lightest = 0.35;
const concealed = 0.45;

/** Text that is there and not seen: comments, hidden elements, tag characters, concealed text and commands to a terminal. */
export const hiddenSource: SignalSource = Object.freeze({
  id: "hidden",
  signals: (passage: Passage) => {
    const { text } = passage;
    // Without any of these a text has no place to hide anything in.
    if (isAscii(text) && !text.includes("<") && !hasControls(text)) return none;
    return [...inMarkup(passage), ...inTags(text), ...inSelectors(text), ...inControls(text), ...inDirections(text)];
  },
});

const none: readonly Signal[] = Object.freeze([]);

const inMarkup = (passage: Passage): readonly Signal[] => {
  if (!looksLikeMarkup(passage.text)) return [];
  const page = pageOf(passage.text);
  if (page === null) return [];
  const { shown, hidden } = page;
  const signals: Signal[] = wordsSource
    .signals({ ...passage, text: shown.text })
    .map((signal) => ({ ...signal, ...shown.origin(signal.start, signal.end) }));
  for (const { start, end } of hidden) {
    const inside = wordsSource.signals({ ...passage, text: passage.text.slice(start, end) });
    if (!inside.some(({ weight }) => weight >= lightest)) continue;
    signals.push({ class: "hidden_text", start, end, weight: concealed });
    for (const signal of inside) signals.push({ ...signal, start: start + signal.start, end: start + signal.end });
  }
  return signals;
};

/** Tag characters spell ASCII without being seen; only flags of regions have a use for them. */
const tags = /(\u{1f3f4})?[\u{e0020}-\u{e007e}]{4,}/gu;

/** A picture or an ideograph takes one selector of its variant; several in a row are bytes that nobody sees. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu;

const inSelectors = (text: string): readonly Signal[] =>
  isAscii(text)
    ? []
    : Array.from(text.matchAll(selectors), ({ 0: found, index }) => ({
        class: "hidden_text" as const,
        start: index,
        end: index + found.length,
        weight: 0.6,
      }));

const inTags = (text: string): readonly Signal[] =>
  text.includes("\udb40")
    ? Array.from(text.matchAll(tags)).flatMap(({ 0: found, 1: flag, index }) =>
        flag === undefined
          ? [{ class: "hidden_text" as const, start: index, end: index + found.length, weight: 0.6 }]
          : [],
      )
    : [];

const inControls = (text: string): readonly Signal[] =>
  hasControls(text)
    ? controlSequences(text).flatMap(({ start, end, text: sequence }) => {
        const weight = weightOf(sequence);
        return weight === 0 ? [] : [{ class: "terminal_control" as const, start, end, weight }];
      })
    : [];

/** Colours and movements are what tools print. What is never printed by accident: a clipboard, a device's answer, hidden letters. */
const weightOf = (sequence: string): number => {
  const command = sequence.slice(1);
  if (command.startsWith("]52;")) return 0.7;
  if (/^\[(?:[0-9;]{0,32};)?8m$/.test(command)) return 0.55;
  if (/^[PX^_]/.test(command)) return 0.5;
  if (/^\](?:[0124]|1[0-9]);/.test(command)) return 0.2;
  return /^\[[0-9;?>]{0,16}[cnt]$/.test(command) ? 0.3 : 0;
};

/** Overrides of direction make text read otherwise than it is. */
const inDirections = (text: string): readonly Signal[] =>
  isAscii(text)
    ? []
    : Array.from(text.matchAll(/[\u202d\u202e]/g), ({ index }) => ({
        class: "hidden_text" as const,
        start: index,
        end: index + 1,
        weight: 0.3,
      }));
