import { haveParser, loadParser, looksLikeMarkup } from "../../text/markup/html.ts";
import { haveLookAlikes, loadLookAlikes, mixesScripts } from "../../text/normalise/look-alikes.ts";
import { delimitersSource } from "./delimiters-source.ts";
import { embedded } from "./embedded/index.ts";
import { hiddenSource } from "./hidden-source.ts";
import type { Passage, Signal, SignalSource } from "./signal.ts";
import { wordsSource } from "./words-source.ts";

/** Everything that looks at a passage of a result. */
export const sources: readonly SignalSource[] = Object.freeze([wordsSource, delimitersSource, hiddenSource, embedded]);

export const signalsOf = (passage: Passage): readonly Signal[] => {
  let all: readonly Signal[] = none;
  for (const source of sources) {
    const signals = source.signals(passage);
    if (signals.length > 0) all = all.length === 0 ? signals : [...all, ...signals];
  }
  return all;
};

const none: readonly Signal[] = Object.freeze([]);

/** Tables and parsers that are loaded when a text first needs them; null where nothing is missing. */
export const missingFor = (texts: readonly { readonly text: string }[]): Promise<unknown> | null => {
  const lookAlikes = !haveLookAlikes() && texts.some(({ text }) => mixesScripts(text));
  const parser = !haveParser() && texts.some(({ text }) => looksLikeMarkup(text));
  if (!lookAlikes && !parser) return null;
  return Promise.all([lookAlikes ? loadLookAlikes() : null, parser ? loadParser() : null]);
};
