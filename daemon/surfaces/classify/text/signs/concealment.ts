import { wordSet } from "../../names/words.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import {
  askVerbs,
  consentWords,
  hiddenWords,
  keepVerbs,
  negations,
  readers,
  secretly,
  tellVerbs,
} from "../vocabulary.ts";

/** What is kept from the user even where the user is not named: "do not mention this step". */
const strictTellVerbs = wordSet(
  "mention mentioning reveal revealing disclose disclosing tell telling acknowledge acknowledging discuss discussing expose exposing inform informing",
);
const pointers = wordSet(
  "this it that these step steps instruction instructions parameter behavior behaviour note requirement process action actions tag section",
);
/** "does not show": what a tool does, not what a reader is told to do. */
const descriptive = wordSet("does doesn't is isn't are was will won't");
const knowing = wordSet(
  "know knows knowing knowledge see sees seeing notice notices noticing aware awareness learn told informed notified asked consulted",
);

/** Something is to be kept from the user, or done without asking. */
export const concealmentSigns = (sentence: Sentence): readonly Sign[] => {
  const signs: Sign[] = [];
  const { tokens } = sentence;
  for (const [at, { text }] of tokens.entries()) {
    if (negations.has(text)) signs.push(...ofNegation(sentence, at));
    if (secretly.has(text) && sentence.isNew(at) && sentence.hasVerb("send", "weakSend", "put", "read", "call"))
      signs.push(hidden("critical"));
    if (keepVerbs.has(text) && sentence.isNew(at, at + 5) && keepsHidden(sentence, at)) signs.push(hidden("critical"));
    if (readers.has(text) && sentence.isNew(at, at + 8) && isLeftOut(sentence, at)) signs.push(hidden("critical"));
    if (
      text === "hidden" &&
      sentence.word(at + 1) === "from" &&
      sentence.has(readers, at, at + 5) &&
      sentence.isNew(at, at + 4)
    )
      signs.push(hidden("critical"));
  }
  return signs;
};

const hidden = (severity: "critical" | "moderate"): Sign =>
  sign("concealment_introduced", severity, "new text wants something kept from the user");
const unasked = sign("instruction_introduced", "high", "new text wants something done without asking the user");

const ofNegation = (sentence: Sentence, at: number): readonly Sign[] => {
  // "never ... without asking" wants to be asked.
  if (sentence.word(at) === "without" && sentence.has(negations, at - 12, at)) return [];
  if (sentence.word(at) === "without") {
    const consent = sentence.find(consentWords, at + 1, at + 5);
    const reader = sentence.find(readers, at + 1, at + 4);
    if (reader >= 0 && sentence.has(knowing, reader, reader + 4) && sentence.isNew(at, reader + 4))
      return [hidden("critical")];
    if (consent >= 0 && sentence.isNew(at, consent + 1))
      return sentence.has(strictTellVerbs, at, at + 3) ? [hidden("critical")] : [unasked];
  }
  const told = sentence.find(tellVerbs, at + 1, at + 6);
  if (told < 0) return noNeed(sentence, at);
  const to = sentence.find(readers, told + 1, told + 11);
  const isAsked = askVerbs.has(sentence.word(told));
  const isStrict = strictTellVerbs.has(sentence.word(told)) && sentence.has(pointers, told + 1, told + 4);
  const end = Math.max(told, to) + 1;
  if ((to < 0 && !isStrict) || !sentence.isNew(at, end)) return [];
  const isDescriptive = descriptive.has(sentence.word(at)) || descriptive.has(sentence.word(at - 1));
  if (isDescriptive && !isStrict) return [hidden("moderate")];
  return isAsked && /^(?:ask|confirm|consult|verif|prompt|check)/.test(sentence.word(told))
    ? [unasked]
    : [hidden("critical")];
};

/** "no need to ask", "no confirmation is needed". */
const noNeed = (sentence: Sentence, at: number): readonly Sign[] => {
  const asked = sentence.find(askVerbs, at + 1, at + 6);
  if (asked >= 0 && sentence.has(readers, asked, asked + 5) && sentence.isNew(at, asked + 3)) return [unasked];
  const isNo = sentence.word(at) === "no";
  const consent = isNo ? sentence.find(wordSet("confirmation consent approval permission"), at + 1, at + 4) : -1;
  return consent >= 0 &&
    sentence.isNew(at, consent + 1) &&
    sentence.has(wordSet("needed necessary required need"), at, at + 7)
    ? [unasked]
    : [];
};

const keepsHidden = (sentence: Sentence, at: number): boolean =>
  sentence.has(hiddenWords, at + 1, at + 6) && sentence.has(pointers, at + 1, at + 6) && !sentence.isNegated(at);

/** "the user must not know", "the user does not need to see this". */
const isLeftOut = (sentence: Sentence, at: number): boolean => {
  const negated = sentence.find(negations, at + 1, at + 6);
  if (negated < 0) return false;
  return sentence.has(knowing, negated + 1, negated + 6);
};
