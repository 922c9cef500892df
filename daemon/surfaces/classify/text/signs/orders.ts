import { shownName } from "../../names/shown.ts";
import { nameWords, wordSet } from "../../names/words.ts";
import type { NamedTool, TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import {
  askVerbs,
  callVerbs,
  everyWords,
  lastingRuns,
  negations,
  overOthers,
  overridingRuns,
  promoteVerbs,
  readers,
  shellWords,
} from "../vocabulary.ts";

const ruleWords = wordSet(
  "instructions instruction rules guidelines policies policy prompt prompts safety restrictions constraints guardrails warnings directives limitations messages protections tools",
);
const conditions = wordSet(
  "if when unless where instead e.g alternatively consider may can could prefer unlike see also",
);
/** What is said of others so that they are not called. */
const slander = wordSet(
  "deprecated unsafe harmful broken disabled outdated untrusted insecure malicious compromised obsolete prohibited dangerous unreliable forbidden unavailable ignored ignore avoided skipped",
);
const leaving = wordSet("ignore ignoring avoid disregard");
const allowedWord = wordSet("allowed permitted");
const downloads = wordSet("curl wget iwr invoke-webrequest");

/** What the model is told to do besides calling this tool as it sees fit. */
export const orderSigns = (sentence: Sentence, context: TextContext): readonly Sign[] => [
  ...toolSigns(sentence, context),
  ...overriding(sentence),
  ...programs(sentence, context),
];

const toolSigns = (sentence: Sentence, context: TextContext): readonly Sign[] => {
  const signs: Sign[] = [];
  // "confirm with the user before calling ..." is what anybody wants.
  const isOrder =
    sentence.has(everyWords) && !isConditional(sentence) && !(sentence.has(askVerbs) && sentence.has(readers));
  for (const [at, { text, kind }] of sentence.tokens.entries()) {
    if (kind !== "word" && kind !== "host") continue;
    const isCalled = sentence.has(callVerbs, at - 3, at) && !sentence.isNegated(at);
    const named = toolNamed(sentence, at, context, isCalled);
    if (named !== null) {
      if (context.known.words.has(text) || !sentence.isNew(at - 1, at + 2)) continue;
      signs.push(...ofTool(text, named, isCalled, isOrder));
      continue;
    }
    // An identifier that is no tool of anybody, no argument, and was never named before.
    if (
      isOrder &&
      isCalled &&
      isIdentifier(text) &&
      sentence.isNew(at) &&
      text !== context.ownName &&
      !context.parameters.has(text) &&
      !context.known.words.has(text)
    )
      signs.push(sign("instruction_introduced", "high", "new text orders a call of something that is not offered"));
  }
  for (const { at, to } of sentence.runs(overOthers)) {
    if (!sentence.isNew(at - 3, to)) continue;
    const isSlander =
      sentence.has(slander, at - 3, to + 12) || (sentence.has(allowedWord, to) && sentence.has(negations, to));
    const isBefore = sentence.has(wordSet("before prior first"), at - 6, at);
    const isForbidden =
      (sentence.has(negations, at - 6, at) && sentence.has(callVerbs, at - 5, at)) || sentence.has(leaving, at - 8, at);
    if (isBefore || isForbidden || isSlander)
      signs.push(sign("instruction_introduced", "high", "new text puts this before every other tool"));
    else signs.push(sign("instruction_introduced", "moderate", "new text speaks of other tools"));
  }
  return signs;
};

const ofTool = (name: string, { server, isRisky }: NamedTool, isCalled: boolean, isOrder: boolean): readonly Sign[] => {
  if (server !== null)
    return [
      sign(
        "other_tool_referenced",
        isCalled || isOrder ? "critical" : "high",
        `new text names ${shownName(name)}, a tool of another server`,
      ),
    ];
  const severity = isRisky && isCalled && isOrder ? "high" : isOrder ? "moderate" : "minor";
  return [sign("other_tool_referenced", severity, `new text names ${shownName(name)}, another tool of this server`)];
};

const toolNamed = (
  sentence: Sentence,
  at: number,
  { tools, ownName }: TextContext,
  isCalled: boolean,
): NamedTool | null => {
  const text = sentence.word(at);
  if (text === ownName) return null;
  const named =
    tools.get(text) ?? tools.get(text.slice(Math.max(text.lastIndexOf("__") + 2, text.lastIndexOf(".") + 1, 0)));
  if (named === undefined) return null;
  // A name that is a word of the language is one only where it is called, or called a tool.
  if (isIdentifier(text) || nameWords(text).length > 1) return named;
  const isCalledTool = toolWords.has(sentence.word(at + 1)) || toolWords.has(sentence.word(at - 1));
  return isCalledTool || (isCalled && named.server !== null && sentence.has(callVerbs, at - 2, at)) ? named : null;
};
const toolWords = wordSet("tool tools function");

const isIdentifier = (text: string): boolean =>
  /^[a-z0-9]+(?:[_-][a-z0-9]+)*_[a-z0-9]+(?:[_-][a-z0-9]+)*$/.test(text) && text.length < 128;

/** "when you are done" is no condition. */
const isConditional = (sentence: Sentence): boolean => sentence.has(conditions) && !sentence.has(ends);
const ends = wordSet("done finished complete completed ready");

const others = wordSet("all other your every system user's previous");
const standing = wordSet(
  "auto_approve auto-approve new_instructions developer_mode god_mode jailbreak without_question unrestricted_mode no_restrictions",
);

const overriding = (sentence: Sentence): readonly Sign[] => {
  const signs: Sign[] = [];
  for (const { at, to } of sentence.runs(lastingRuns))
    if (sentence.isNew(at, to))
      signs.push(sign("instruction_introduced", "high", "new text wants to be obeyed beyond this call"));
  for (const { at, to, run } of sentence.runs(overridingRuns)) {
    if (!sentence.isNew(at, to) || sentence.isNegated(at)) continue;
    if (
      standing.has(run) ||
      sentence.has(ruleWords, to, to + 5) ||
      (run.endsWith("precedence") && sentence.has(others, to, to + 6))
    )
      signs.push(sign("instruction_introduced", "critical", "new text sets aside what the model was told"));
  }
  const promoted = sentence.find(promoteVerbs);
  if (
    promoted >= 0 &&
    sentence.isNew(promoted) &&
    !sentence.isNegated(promoted) &&
    sentence.has(wordSet("always must every only"), promoted - 5, promoted)
  )
    signs.push(sign("instruction_introduced", "high", "new text says what is to be recommended"));
  return signs;
};

/** Programs that a reader is told to run. */
const programs = (sentence: Sentence, { isRunner }: TextContext): readonly Sign[] => {
  const at = sentence.find(shellWords);
  if (at < 0 || !sentence.isNew(at, at + 3)) return [];
  const next = sentence.word(at + 1);
  const isDownload =
    downloads.has(sentence.word(at)) && sentence.tokens.some(({ kind }) => kind === "url" || kind === "host");
  const isWiping = sentence.word(at) === "rm" && /^-?[rf]{1,2}$/.test(next);
  const isInstalling = /^(?:pip|npm|npx)$/.test(sentence.word(at)) && !isRunner && sentence.has(everyWords);
  const isPiped = sentence.word(at) === "base64" && sentence.has(wordSet("bash sh zsh eval"));
  if (!isDownload && !isWiping && !isInstalling && !isPiped) return [];
  return [sign("instruction_introduced", isRunner ? "moderate" : "critical", "new text has a program run")];
};
