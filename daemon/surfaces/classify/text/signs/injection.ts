import { delimitersSource } from "../../../../../rules/packs/injection/delimiters-source.ts";
import { hiddenSource } from "../../../../../rules/packs/injection/hidden-source.ts";
import { suspicionsOf } from "../../../../../rules/packs/injection/score.ts";
import type { Signal, SignalClass } from "../../../../../rules/packs/injection/signal.ts";
import { wordsSource } from "../../../../../rules/packs/injection/words-source.ts";
import { type Sign, sign } from "../sign.ts";

/** A definition tells a model when to call what, and how: these say nothing in it. What is an order too many is looked for by its own rules. */
const ordinary: ReadonlySet<SignalClass> = new Set<SignalClass>(["tool_call", "tool_preference"]);

const high = 0.5;
const sure = 0.7;

const signalsIn = (text: string): readonly Signal[] => {
  const passage = { text, action: "", place: "", name: "description" };
  return [wordsSource, delimitersSource, hiddenSource]
    .flatMap((source) => source.signals(passage))
    .filter((signal) => !ordinary.has(signal.class));
};

const keyOf = (text: string, { class: of, start, end }: Signal): string =>
  `${of} ${text.slice(start, end).toLowerCase().replaceAll(/\s+/g, " ")}`;

/** What the rules on results find in texts that were approved. */
export const knownSignals = (texts: Iterable<string>): ReadonlySet<string> => {
  const known = new Set<string>();
  for (const text of texts) for (const signal of signalsIn(text)) known.add(keyOf(text, signal));
  return known;
};

/** What they find in a new text, as sure as they are without what was approved: `known` is asked for only where they find something. */
export const injectionSigns = (text: string, known: () => ReadonlySet<string>): readonly Sign[] => {
  const all = signalsIn(text);
  if (all.length === 0) return [];
  const approved = known();
  const signals = all.filter((signal) => !approved.has(keyOf(text, signal)));
  if (signals.length === 0) return [];
  const score = Math.max(...suspicionsOf(signals).map((suspicion) => suspicion.score));
  if (score < high) return [];
  return [
    sign("hostile_definition", score >= sure ? "critical" : "high", "new text speaks to the model that reads it"),
  ];
};
