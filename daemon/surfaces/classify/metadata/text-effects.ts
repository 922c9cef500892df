import type { Finding } from "../../finding.ts";
import type { SurfaceItem } from "../../surface.ts";
import type { ItemText } from "../item-texts.ts";
import { shownPath } from "../names/shown.ts";
import { wordSet } from "../names/words.ts";
import { own } from "../schema/document.ts";
import type { TextContext } from "../text/context.ts";
import { type Sentence, sentencesOf } from "../text/sentence.ts";
import { tokensIn } from "../text/token.ts";
import { changing, type Effect, effectOf, effectsOfName, hasAny, risky } from "./effects.ts";

/** Words behind which a verb says what the tool does: "and deletes", "will send", "also runs". */
const leads = wordSet("and also then or will can may must additionally automatically it tool which that");
const objects = wordSet("it the them all every each this that its any a your their");
const emptyVerbs = wordSet("set sets run runs list check sync put make open text texts reply");
const requests = wordSet("request requests query queries signal command http search");
/** Verbs that are nouns, or say nothing about the world, too often. */
const vague = wordSet(
  "set sets share open post text texts run runs exports reply message messages email emails list check sync put make",
);

/** Effects that a description claims with new words, beyond those of the tool's name and of its approved description. */
export const textEffects = (
  approved: SurfaceItem | null,
  observed: SurfaceItem,
  context: TextContext,
  changed: readonly ItemText[],
): readonly Finding[] => {
  if (approved === null || observed.kind !== "tool") return [];
  const before = new Set([...effectsOfName(approved.name), ...claimed(describing(approved), null)]);
  if (before.size === 0) return [];
  const findings: Finding[] = [];
  for (const { path, text } of changed) {
    if (path !== "description" && path !== "title" && path !== "annotations.title") continue;
    for (const effect of claimed(text, context)) {
      if (before.has(effect) || !changing.has(effect)) continue;
      const isGrave = hasAny(before, changing)
        ? risky.has(effect) && !hasAny(before, risky)
        : risky.has(effect) || plainlyWrites(text);
      findings.push({
        type: "effect_escalated",
        severity: isGrave ? "high" : "moderate",
        path: shownPath(path),
        reason: `new text says that the tool does more than before (${effect})`,
        relation: null,
      });
    }
  }
  return findings;
};

/** Of a tool that only read. */
const plainlyWrites = (text: string): boolean => tokensIn(text).some((token) => writing.has(token.text));
const writing = wordSet("overwrite overwrites overwriting modify modifies alters edits");

const describing = ({ definition }: SurfaceItem): string => {
  const description = own(definition, "description");
  return typeof description === "string" ? description : "";
};

const claimed = (text: string, context: TextContext | null): ReadonlySet<Effect> => {
  const tokens = tokensIn(text);
  const isNew = context === null ? new Uint8Array(tokens.length).fill(1) : context.known.newIn(tokens);
  const found = new Set<Effect>();
  for (const sentence of sentencesOf(tokens, isNew))
    for (const at of sentence.tokens.keys()) {
      const effect = effectAt(sentence, at, context);
      if (effect !== null) found.add(effect);
    }
  return found;
};

const effectAt = (sentence: Sentence, at: number, context: TextContext | null): Effect | null => {
  const word = sentence.word(at);
  const effect = effectOf(word);
  if (effect === null || !sentence.isNew(at) || sentence.isNegated(at)) return null;
  if (context?.known.words.has(word)) return null;
  if (context !== null && vague.has(word) && (emptyVerbs.has(word) || !objects.has(sentence.word(at + 1)))) return null;
  if (sentence.has(requests, at + 1, at + 4)) return null;
  if (at === 0 || leads.has(sentence.word(at - 1))) return effect;
  // "..., deletes it afterwards": a form that is a verb wherever it stands.
  return word.endsWith("s") && risky.has(effect) && effect !== "execute" && objects.has(sentence.word(at + 1))
    ? effect
    : null;
};
