import type { TextContext } from "../context.ts";
import { isSecretPath } from "../secret-path.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { dataNouns, exampleWords, secretNouns, sessionNouns } from "../vocabulary.ts";

/** Secrets, files that hold them, and what else the model knows: who asks for them, and who wants them passed on. */
export const secretSigns = (sentence: Sentence, around: readonly Sentence[], context: TextContext): readonly Sign[] => {
  const signs: Sign[] = [];
  const moves = sentence.hasVerb("send", "put") || (sentence.hasVerb("weakSend") && sentence.has(dataNouns));
  const movesNear = around.some((near) => near.hasNew && near.hasVerb("send"));
  for (const [at, token] of sentence.tokens.entries()) {
    if (!sentence.isNew(at) || !isSecretPath(token) || sentence.isNegated(at)) continue;
    if (moves || movesNear || sentence.hasVerb("read", "call")) signs.push(leak("a file of keys or passwords"));
    else signs.push(sign("secret_name_introduced", "high", "new text names a file of keys or passwords"));
  }
  for (const { at, to } of sentence.runs(secretNouns)) {
    if (!sentence.isNew(at, to) && !hasNewMove(sentence)) continue;
    if (sentence.isNegated(at) || isExcluded(sentence, at)) continue;
    const isExample = sentence.has(exampleWords, at - 12, at);
    if (isExample) signs.push(sign("secret_name_introduced", "minor", "a new example names a secret"));
    else if (isMoved(sentence, at) && !isRequirement(sentence) && !isMeans(sentence, at)) signs.push(leak("a secret"));
    else if (movesNear || (isRead(sentence, at) && !isRequirement(sentence)))
      signs.push(
        sign("secret_name_introduced", context.knowsSecrets ? "moderate" : "high", "new text asks for a secret"),
      );
    else signs.push(sign("secret_name_introduced", "moderate", "new text names a secret"));
  }
  for (const { at, to } of sentence.runs(sessionNouns)) {
    if ((!sentence.isNew(at, to) && !hasNewMove(sentence)) || sentence.isNegated(at)) continue;
    if (moves || movesNear) signs.push(leak("what the model knows from its session"));
    else if (isRead(sentence, at) || sentence.hasVerb("weakSend"))
      signs.push(sign("secret_name_introduced", "high", "new text asks for what the model knows from its session"));
    else signs.push(sign("secret_name_introduced", "moderate", "new text names what the model knows from its session"));
  }
  return signs;
};

/** A verb that hands on stands before what it hands on, in the same breath; what is sent may stand before. */
const isMoved = (sentence: Sentence, at: number): boolean =>
  sentence.verbs("send").some((verb) => Math.abs(verb - at) <= 14) ||
  sentence.verbs("put").some((verb) => verb < at && at - verb <= 10);

/** "per API key", "with your token": by which something is done, and not what is handed on. */
const isMeans = (sentence: Sentence, at: number): boolean => sentence.has(means, at - 2, at);
const means: ReadonlySet<string> = new Set("per via using by with without each".split(" "));

const isRead = (sentence: Sentence, at: number): boolean =>
  sentence.verbs("read").some((verb) => verb < at && at - verb <= 8);

const leak = (what: string): Sign =>
  sign("description_exfiltration", "critical", `new text wants ${what} read or passed on`);

const hasNewMove = (sentence: Sentence): boolean =>
  (["send", "put"] as const).some((kind) => sentence.verbs(kind).some((at) => sentence.isNew(at)));

/** "requires an API key", "set TAVILY_API_KEY": what an operator does before. */
const isRequirement = (sentence: Sentence): boolean =>
  sentence.tokens.some(({ text }) => requirements.has(text)) && !sentence.tokens.some(({ kind }) => kind !== "word");
const requirements: ReadonlySet<string> = new Set(
  "requires require required needs authenticate authenticates authentication authenticated configured configure provided header authorize authorizes permission scope".split(
    " ",
  ),
);

/** "any sensitive information such as keys", in a sentence that says what not to do from its beginning. */
const isExcluded = (sentence: Sentence, at: number): boolean => {
  for (let before = at - 1; before >= 0 && before > at - 30; before--)
    if (exclusions.has(sentence.word(before)))
      return !sentence.tokens.slice(before, at).some(({ text }) => undone.has(text));
  return false;
};
const exclusions: ReadonlySet<string> = new Set(
  "not never don't without avoid exclude excludes excluding except redact redacts redacted masks masked omit omits".split(
    " ",
  ),
);
const undone: ReadonlySet<string> = new Set(
  "forget fail skip until unless proceed continue hesitate work works but instead".split(" "),
);
