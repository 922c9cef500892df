import { block } from "../../answers.ts";
import type { ResultAnswer } from "../../authoring.ts";
import type { Text, Texts } from "../../scan/texts.ts";
import type { Classifier as ClassifierOf } from "./classifier.ts";
import type { ClassifierOptions } from "./options.ts";
import type { Signal } from "./signal.ts";

/** What the classifier adds to what the rules see, or the answer where it could not be asked. */
export type Opinion = ReadonlyMap<Text, Signal> | ResultAnswer;

export const isAnswer = (opinion: Opinion): opinion is ResultAnswer => "kind" in opinion;

/** Shorter texts are names and numbers. */
const shortestText = 24;

/** Asks about the longest texts of a result. The library that counts failures is loaded with the first question. */
export class Opinions {
  readonly #options: ClassifierOptions;
  #classifier: ClassifierOf | null = null;

  constructor(options: ClassifierOptions) {
    this.#options = options;
  }

  async of({ texts }: Texts): Promise<Opinion> {
    const { maxTexts, fail } = this.#options;
    this.#classifier ??= new (await import("./classifier.ts")).Classifier(this.#options);
    const classifier = this.#classifier;
    const asked = texts
      .filter(({ kind, text }) => kind !== "name" && text.length >= shortestText)
      .sort((a, b) => b.text.length - a.text.length)
      .slice(0, maxTexts);
    const scores = await Promise.all(asked.map(({ text }) => classifier.score(text)));
    const signals = new Map<Text, Signal>();
    for (const [at, score] of scores.entries()) {
      if (score === null) {
        if (fail === "block") return block("the classifier of injections does not answer");
        continue;
      }
      const text = asked[at]!;
      signals.set(text, { class: "classifier", start: 0, end: text.text.length, weight: score });
    }
    return signals;
  }
}
