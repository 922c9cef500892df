import type { Text, Texts } from "../../scan/texts.ts";
import { type Suspicion, suspicionsOf } from "./score.ts";
import { acrossTexts } from "./seams.ts";
import type { Signal } from "./signal.ts";
import { signalsOf } from "./sources.ts";

/** A text with what is suspicious in it. */
export interface Suspect {
  readonly text: Text;
  readonly suspicions: readonly Suspicion[];
  readonly score: number;
}

/** Shorter names of members say nothing to anybody. */
const shortestName = 20;

/** The texts of a value that reach `from`, with what was found in them. `more` adds signs from elsewhere. */
export const suspectsIn = (
  { texts }: Texts,
  action: string,
  from: number,
  more: ReadonlyMap<Text, Signal> = new Map(),
): readonly Suspect[] => {
  const suspects: Suspect[] = [];
  const across = acrossTexts(texts, action, from);
  for (const text of texts) {
    if (text.kind === "name" && text.text.length < shortestName) continue;
    const extra = more.get(text);
    const signals = signalsOf({ text: text.text, action, place: text.place, name: text.name });
    const seam = across.get(text);
    if (signals.length === 0 && extra === undefined && seam === undefined) continue;
    const alone = suspicionsOf(extra === undefined ? signals : [...signals, extra]).filter(
      ({ score }) => score >= from,
    );
    const suspicions = seam === undefined || alone.length > 0 ? alone : [seam];
    if (suspicions.length === 0) continue;
    suspects.push({ text, suspicions, score: Math.max(...suspicions.map(({ score }) => score)) });
  }
  return suspects;
};

export const surest = (suspects: readonly Suspect[]): Suspect | null =>
  suspects.reduce<Suspect | null>(
    (best, suspect) => (best === null || suspect.score > best.score ? suspect : best),
    null,
  );
