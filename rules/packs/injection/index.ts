import type { WireValue } from "../../../wire/value.ts";
import { textsOf } from "../../scan/texts.ts";
import type { Finding } from "../finding.ts";
import { definePack } from "../pack.ts";
import { inCalls } from "./in-calls.ts";
import { inResults } from "./in-results.ts";
import { suspectsIn } from "./judge.ts";
import { injectionNotes } from "./notes.ts";
import type { InjectionOptions } from "./options.ts";
import { missingFor } from "./sources.ts";

export type { ClassifierOptions, InjectionOptions, Measure } from "./options.ts";
export type { Passage, Signal, SignalClass, SignalSource } from "./signal.ts";

const starter: InjectionOptions = Object.freeze({
  high: "block",
  medium: "mark",
  highAt: 0.8,
  mediumAt: 0.5,
  calls: "escalate",
  callsLookedAt: "carriers",
  maxScannedCharacters: 16_777_216,
  classifier: null,
});

const strict: InjectionOptions = Object.freeze({ ...starter, medium: "block", callsLookedAt: "all" });

/** Texts that speak to the model that reads them. */
export const injection = definePack<InjectionOptions>({
  id: "injection",
  ...injectionNotes,
  tiers: { starter, strict },
  rules: (options) => [inResults(options), inCalls(options)],
  scan: (value, _phase, options) => {
    const missing = missingFor(textsOf(value).texts);
    return missing === null ? findingsIn(value, options) : missing.then(() => findingsIn(value, options));
  },
});

const findingsIn = (value: WireValue, { mediumAt }: InjectionOptions): readonly Finding[] =>
  suspectsIn(textsOf(value), "", mediumAt).flatMap(({ text, suspicions }) =>
    suspicions.map(({ class: found, start, end, score }) => ({
      pack: "injection" as const,
      class: found,
      place: text.place,
      start,
      end,
      confidence: score,
    })),
  );
