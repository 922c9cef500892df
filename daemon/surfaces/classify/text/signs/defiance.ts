import { fieldKinds } from "../../names/field-kinds.ts";
import { wordSet } from "../../names/words.ts";
import type { TextContext, TextRole } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { readers } from "../vocabulary.ts";

const against = wordSet("even_if no_matter regardless_of despite irrespective_of whether_or_not instead_of_what");
const wishes = wordSet(
  "asks asked ask declines decline declined refuses refuse refused objects says said requested request requests wants wanted",
);
const lies = wordSet(
  "pretend pretends pretending lie lying mislead misleading deceive deceiving fabricate feign falsely untruthfully",
);
const asserting = wordSet("claim claims assert state say respond answer reply insist");
const contrary = wordSet("even although though regardless nothing never failed");
const consent = wordSet("consent permission approval confirmation authorization");
const settled = wordSet("given granted assumed disabled unnecessary obtained implied waived lifted presumed automatic");
const assuming = wordSet("assume assumes assuming presume consider treat");
const rules = wordSet(
  "restrictions restriction limits limitations rules safeguards guardrails policies controls guidelines safety checks protections",
);
const lifted = wordSet("lifted removed disabled off suspended void waived ignored bypassed irrelevant overridden");
const ignoring = wordSet(
  "ignore ignores ignoring disregard disregards disregarding bypass bypasses bypassing circumvent circumvents circumventing override overrides overriding evade evades",
);
const rights = wordSet(
  "impersonate impersonates impersonating elevate elevates elevating escalate escalates escalating",
);
const identities = wordSet("root administrator admin superuser owner system developer");
const watching = wordSet(
  "track tracks tracking record records recording monitor monitors monitoring log logs logging capture captures capturing observe observes watch watches",
);
const watched = wordSet(
  "keystrokes keystroke location activity screen clipboard behavior behaviour browsing microphone camera typing conversations movements habits",
);
const possessive = wordSet("user's users' their customer's person's");
const earlier = wordSet(
  "told_you_so_far has_told_you user_told_you user_has_said user_has_typed user_has_written user_has_shared user_has_told everything_above above_this_line typed_so_far said_so_far written_so_far asked_so_far happened_so_far everything_so_far all_of_the_above the_text_above text_before_this",
);
const recent = wordSet("last recent latest previous");
const uttered = wordSet("messages turns prompts utterances replies");
const editor = wordSet("open_in_the_editor open_in_editor open_files open_tabs source_code_of");
const answering = wordSet("answer answers reply replies response responses comparison");
const ranking = wordSet("advertise rate rank praise endorse promote recommend");
const off = wordSet("false no off 0 disabled none");
const setting = wordSet("set pass use send leave keep");
const handing = ["send", "put", "weakSend"] as const;

/** What sets the user, the rules or the truth aside. */
export const defianceSigns = (sentence: Sentence, context: TextContext, role: TextRole): readonly Sign[] => {
  const signs: Sign[] = [];
  const add = (reason: string): void => {
    signs.push(sign("instruction_introduced", "high", reason));
  };
  for (const { at, to } of sentence.runs(against))
    if (sentence.isNew(at, to) && sentence.has(readers, to, to + 5) && sentence.has(wishes, to, to + 7))
      add("new text puts itself above what the user wants");
  for (const [at, { text }] of sentence.tokens.entries()) {
    if (!sentence.isNew(at) || sentence.isNegated(at)) continue;
    if (lies.has(text)) add("new text wants something said that is not so");
    if (asserting.has(text) && at === 0 && sentence.has(thatWord, at, at + 5) && sentence.has(contrary, at + 2))
      add("new text wants something said that is not so");
    if (consent.has(text) && (sentence.has(settled, at, at + 5) || sentence.has(assuming, at - 4, at)))
      add("new text takes the user's consent for granted");
    if (
      given.has(text) &&
      sentence.has(readers, 0, at) &&
      sentence.has(consent, at, at + 3) &&
      sentence.has(already, at - 3, at)
    )
      add("new text takes the user's consent for granted");
    if (rules.has(text) && (sentence.has(ignoring, at - 5, at) || sentence.has(lifted, at, at + 4)))
      add("new text sets rules aside");
    if (rights.has(text)) add("new text has calls made with other rights");
    if (text === "are" && sentence.word(at - 1) === "you" && sentence.has(identities, at, at + 3))
      add("new text says who the model is");
    if (
      watching.has(text) &&
      sentence.has(watched, at + 1, at + 5) &&
      (sentence.has(possessive, at, at + 4) || sentence.has(keystrokes, at, at + 3))
    )
      signs.push(sign("data_class_escalated", "high", "new text has the user watched"));
    if (ranking.has(text) && sentence.has(answering, at)) add("new text says what is to be recommended");
    if (
      fieldKinds(text).has("safety") &&
      /[_]|^confirm|^sandbox/.test(text) &&
      sentence.has(setting, at - 4, at) &&
      sentence.has(off, at, at + 4) &&
      !sentence.has(conditions)
    )
      add("new text says how a safeguard is to be answered");
  }
  if (context.isNewItem || (role !== "parameter" && !handing.some((kind) => sentence.hasVerb(kind)))) return signs;
  const named = [...sentence.runs(earlier), ...sentence.runs(editor)];
  const isRecent =
    handing.some((kind) => sentence.hasVerb(kind)) &&
    sentence.tokens.some(
      ({ text }, at) =>
        recent.has(text) && sentence.isNew(at) && !sentence.isNegated(at) && sentence.has(uttered, at, at + 4),
    );
  if (isRecent || named.some(({ at, to }) => sentence.isNew(at, to) && !sentence.isNegated(at)))
    signs.push(
      sign("description_exfiltration", "high", "new text wants what the model or its user has elsewhere passed on"),
    );
  return signs;
};
const modelTags = /<\/?(?:system|assistant|tool_description|tool|developer|human|instructions?)\s{0,4}>/i;

/** Borders of turns and of the definition itself, as a model is shown them. */
export const tagSigns = (text: string, known: ReadonlySet<string>): readonly Sign[] =>
  modelTags.test(text) && ![...known].some((one) => modelTags.test(one))
    ? [sign("hostile_definition", "high", "new text imitates the borders that a model is shown")]
    : [];

const thatWord = wordSet("that");
const given = wordSet("given granted agreed consented");
const already = wordSet("already has have");
const keystrokes = wordSet("keystrokes keystroke");
const conditions = wordSet("if when unless only after once");
