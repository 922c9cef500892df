import type { WireObject } from "../../../wire/value.ts";
import { block, rewriteResult } from "../../answers.ts";
import type { DefinedRule, ResultAnswer } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type Text, type Texts, textsOf } from "../../scan/texts.ts";
import { isAnswer, Opinions } from "./classified.ts";
import { inResultsExamples } from "./in-results.examples.ts";
import { type Suspect, surest, suspectsIn } from "./judge.ts";
import type { InjectionOptions, Measure } from "./options.ts";
import type { Signal } from "./signal.ts";
import { missingFor } from "./sources.ts";
import { asReturned, treated, withTexts } from "./treat.ts";

/**
 * What came back, whatever tool it came from: every text of it, at any depth, descriptions of tools included. By how sure it is that
 * somebody speaks to the model in it, the result is blocked, cleaned or marked.
 */
export const inResults = (options: InjectionOptions): DefinedRule => {
  const opinions = options.classifier === null ? null : new Opinions(options.classifier);
  return defineRule({
    id: "injection.in-results",
    actions: ["*"] as readonly string[],
    phase: "result",
    evaluate({ action, args }) {
      const texts = textsOf(args);
      if (texts.isCutShort || texts.characters > options.maxScannedCharacters)
        return block("the result is too large to be searched for injections");
      const judged = (more?: ReadonlyMap<Text, Signal>): ResultAnswer | undefined =>
        answerTo(args, suspectsIn(texts, action, options.mediumAt, more), options);
      const missing = missingFor(texts.texts);
      if (opinions !== null) return asked(opinions, texts, missing, judged);
      return missing === null ? judged() : missing.then(() => judged());
    },
    examples: inResultsExamples(options),
  });
};

/** What the rules find already is not asked about: a classifier may only add. */
const asked = async (
  opinions: Opinions,
  texts: Texts,
  missing: Promise<unknown> | null,
  judged: (more?: ReadonlyMap<Text, Signal>) => ResultAnswer | undefined,
): Promise<ResultAnswer | undefined> => {
  await missing;
  const answer = judged();
  if (answer?.kind === "block") return answer;
  const opinion = await opinions.of(texts);
  return isAnswer(opinion) ? opinion : judged(opinion);
};

const measureFor = ({ score }: Suspect, { high, medium, highAt }: InjectionOptions): Measure =>
  score >= highAt ? high : medium;

export const answerTo = (
  args: WireObject,
  suspects: readonly Suspect[],
  options: InjectionOptions,
): ResultAnswer | undefined => {
  const worst = surest(suspects);
  if (worst === null) return undefined;
  const refused = suspects.find((suspect) => measureFor(suspect, options) === "block");
  if (refused !== undefined) return refusal(refused);
  const texts = new Map<string, string>();
  for (const suspect of suspects) {
    const measure = measureFor(suspect, options);
    if (measure === "pass" || measure === "block") continue;
    // A name that speaks to the model has no other form.
    const instead = suspect.text.kind === "name" ? null : treated(suspect, measure);
    if (instead === null) return refusal(suspect);
    if (instead !== suspect.text.text) texts.set(suspect.text.place, instead);
  }
  if (texts.size === 0) return undefined;
  const reason = `the result may hold an injection (${worst.suspicions[0]!.class})`;
  const made = withTexts(args, "", texts) as WireObject;
  return rewriteResult(asReturned(args, made), { reason, attributedTo: worst.text.place });
};

const refusal = ({ suspicions, text }: Suspect): ResultAnswer =>
  block(`the result holds an injection (${suspicions[0]!.classes.slice(0, 4).join(", ")})`, {
    attributedTo: text.place,
  });
