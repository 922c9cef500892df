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
  "talk speak refer referring mention mentioning reveal revealing disclose disclosing tell telling acknowledge acknowledging discuss discussing expose exposing inform informing",
);
const pointers = wordSet(
  "this it that these step steps instruction instructions parameter behavior behaviour note requirement process action actions tag section",
);
/** What a text calls itself. */
const itself = wordSet(
  "instruction instructions note step steps rule rules message directive requirement paragraph section guidance text",
);
/** "does not show": what a tool does, not what a reader is told to do. */
const descriptive = wordSet("does doesn't is isn't are was will won't");
const knowing = wordSet(
  "know knows knowing knowledge see sees seeing notice notices noticing aware awareness learn told informed notified asked consulted",
);
/** How results are presented: what is left out of them is no secret. */
const presented = wordSet(
  "id ids identifier identifiers json raw internal uuid url urls markdown html field fields output data response responses metadata error errors trace traces list table tables null empty duplicate duplicates technical verbose",
);
const showing = /^(?:mention|show|display|print|output|expos|includ|surfac|explain|describ)/;
const asking = /^(?:ask|confirm|consult|verif|prompt|check)/;
const hiding = wordSet("hide hides hiding conceal conceals concealing withhold withholding obscure disguise");
const unknowing = wordSet("unaware oblivious uninformed ignorant unknowing unsuspecting");
const addressed = wordSet("assistant model llm agent ai");
const only = wordSet("only solely exclusively");
const meantFor = wordSet("for to by");
const notes = wordSet("note message comment section text instruction instructions this meant intended read visible");
/** Programs fail silently; nobody is asked to. */
const failing = wordSet(
  "ignored ignore ignores fail fails failed failing skip skips skipped drop drops dropped truncated truncate truncates discarded overwritten overwrites overwrite removed converted clamped rounded cap capped succeed succeeds succeeded exit exits return returns create creates created no-op continue continues",
);
const needed = wordSet("needed necessary required need");
const noConsent = wordSet("confirmation consent approval permission");
const skipping = wordSet(
  "skip skips skipping bypass bypasses bypassing suppress suppresses omit omits disable disables circumvent circumventing",
);
const consentSteps = wordSet("confirmation confirmations approval approvals consent review reviews safeguards");
const agreedBefore = wordSet("pre-approved preapproved pre-authorized preauthorized pre-confirmed");
const agreed = wordSet("agreed approved consented confirmed authorized accepted granted");
const approveVerbs = wordSet(
  "approve approves approving accept accepts confirm confirms authorize authorizes grant grants",
);
const alone = wordSet("automatically blindly always immediately");

/** Something is to be kept from the user, or done without asking. */
export const concealmentSigns = (sentence: Sentence): readonly Sign[] => {
  const signs: Sign[] = [];
  for (const [at, { text }] of sentence.tokens.entries()) {
    if (negations.has(text)) signs.push(...ofNegation(sentence, at));
    else if (isHiding(sentence, at, text)) signs.push(hidden("critical"));
    else if (isUnasked(sentence, at, text)) signs.push(unasked);
  }
  return signs;
};

const hidden = (severity: "critical" | "moderate"): Sign =>
  sign("concealment_introduced", severity, "new text wants something kept from the user");
const unasked = sign("instruction_introduced", "high", "new text wants something done without asking the user");

const isHiding = (sentence: Sentence, at: number, text: string): boolean => {
  if (secretly.has(text))
    return sentence.isNew(at) && !sentence.isNegated(at) && !sentence.has(failing, at - 2, at + 3);
  if (keepVerbs.has(text))
    return (
      sentence.isNew(at, at + 5) &&
      sentence.has(hiddenWords, at + 1, at + 6) &&
      sentence.has(pointers, at + 1, at + 6) &&
      !sentence.isNegated(at)
    );
  if (hiding.has(text) || text === "hidden") {
    const from = sentence.word(at + 1) === "from" ? at + 1 : sentence.find(fromWord, at + 1, at + 6);
    return (
      from >= 0 && sentence.has(readers, from, from + 5) && sentence.isNew(at, from + 3) && !sentence.isNegated(at)
    );
  }
  if (text === "between")
    return sentence.word(at + 1) === "you" && sentence.has(hiddenWordsOf, at - 3, at) && sentence.isNew(at, at + 2);
  if (readers.has(text)) {
    if (sentence.has(unknowing, at, at + 6) && sentence.isNew(at, at + 6)) return true;
    return sentence.isNew(at, at + 8) && isLeftOut(sentence, at);
  }
  return addressed.has(text) && isForModelOnly(sentence, at);
};
const hiddenWordsOf = wordSet("stay stays remain remains keep kept secret");
const fromWord = wordSet("from");

const isUnasked = (sentence: Sentence, at: number, text: string): boolean => {
  if (!sentence.isNew(at, at + 5) || sentence.isNegated(at)) return false;
  if (skipping.has(text)) return sentence.has(consentSteps, at + 1, at + 6);
  if (agreedBefore.has(text)) return true;
  if (text === "already") return sentence.has(agreed, at + 1, at + 3) && sentence.has(readers, 0, at);
  return approveVerbs.has(text) && sentence.has(alone, at - 1, at + 6) && !sentence.has(readers, 0, at + 6);
};

const ofNegation = (sentence: Sentence, at: number): readonly Sign[] => {
  if (sentence.word(at) === "without") {
    // "never ... without asking" wants to be asked.
    if (sentence.has(negations, at - 12, at)) return [];
    const consent = sentence.find(consentWords, at + 1, at + 8);
    const reader = sentence.find(readers, at + 1, at + 4);
    if (reader >= 0 && sentence.has(knowing, reader, reader + 4) && sentence.isNew(at, reader + 4))
      return [hidden("critical")];
    if (consent >= 0 && sentence.isNew(at, consent + 1))
      return sentence.has(strictTellVerbs, at, at + 3) ? [hidden("critical")] : [unasked];
  }
  const let_ = sentence.find(letting, at + 1, at + 4);
  const seer = let_ < 0 ? -1 : sentence.find(readers, let_ + 1, let_ + 5);
  if (seer >= 0 && sentence.has(knowing, seer, seer + 4) && sentence.isNew(at, seer + 3)) return [hidden("critical")];
  const told = sentence.find(tellVerbs, at + 1, at + 6);
  if (told < 0 || sentence.word(at) === "no") return noNeed(sentence, at);
  return ofTelling(sentence, at, told);
};

const ofTelling = (sentence: Sentence, at: number, told: number): readonly Sign[] => {
  const verb = sentence.word(told);
  const to = sentence.find(readers, told + 1, told + 11);
  const isOfItself = sentence.has(itself, told + 1, told + 5) && sentence.has(thisWords, told + 1, told + 4);
  const isStrict = isOfItself || (strictTellVerbs.has(verb) && sentence.has(pointers, told + 1, told + 4));
  const end = Math.max(told, to) + 1;
  if ((to < 0 && !isStrict) || !sentence.isNew(at, end)) return [];
  const isDescriptive = descriptive.has(sentence.word(at)) || descriptive.has(sentence.word(at - 1));
  const isPresentation = showing.test(verb) && to >= 0 && sentence.has(presented, told + 1, to) && !isOfItself;
  if ((isDescriptive && !isStrict) || isPresentation) return [hidden("moderate")];
  return askVerbs.has(verb) && asking.test(verb) ? [unasked] : [hidden("critical")];
};
const letting = wordSet("let letting allow allowing");
const thisWords = wordSet("this these");

/** "no need to ask", "no confirmation is needed". */
const noNeed = (sentence: Sentence, at: number): readonly Sign[] => {
  if (sentence.word(at) === "no" && sentence.has(reasons, at, at + 3)) {
    const told = sentence.find(tellVerbs, at + 1, at + 6);
    if (told >= 0 && sentence.has(anyReaders, told, told + 4) && sentence.isNew(at, told + 2))
      return [hidden("critical")];
  }
  const asked = sentence.find(askVerbs, at + 1, at + 6);
  const isNeed = sentence.word(at) !== "no" || sentence.has(needs, at, at + 4);
  if (asked >= 0 && isNeed && sentence.isNew(at, asked + 3)) {
    if (sentence.has(readers, asked, asked + 5) || sentence.has(againWords, asked, asked + 3)) return [unasked];
  }
  const consent = sentence.word(at) === "no" ? sentence.find(noConsent, at + 1, at + 4) : -1;
  const isUnneeded = consent >= 0 && sentence.isNew(at, consent + 1) && sentence.has(needed, at, at + 7);
  return isUnneeded ? [unasked] : [];
};
const reasons = wordSet("reason point");
const needs = wordSet("need reason point necessity requirement");
const anyReaders = new Set([...readers, "anyone", "anybody", "someone"]);
const againWords = wordSet("again");

/** "for the assistant only". */
const isForModelOnly = (sentence: Sentence, at: number): boolean =>
  sentence.isNew(at - 2, at + 3) &&
  sentence.has(only, at - 4, at + 4) &&
  sentence.has(meantFor, at - 4, at) &&
  sentence.has(notes, 0, at + 1);

/** "the user must not know", "the user does not need to see this". */
const isLeftOut = (sentence: Sentence, at: number): boolean => {
  const negated = sentence.find(negations, at + 1, at + 6);
  return negated >= 0 && sentence.has(knowing, negated + 1, negated + 6);
};
