import { secretName } from "../../../../../rules/packs/secrets/names.ts";
import { fieldKinds } from "../../names/field-kinds.ts";
import { wordSet } from "../../names/words.ts";
import type { TextContext, TextRole } from "../context.ts";
import { isSecretPath } from "../secret-path.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import type { Token } from "../token.ts";
import { dataNouns, exampleWords, secretNouns } from "../vocabulary.ts";

/** Secrets and files that hold them: who asks for them, and who wants them passed on. */
export const secretSigns = (
  sentence: Sentence,
  around: readonly Sentence[],
  context: TextContext,
  role: TextRole,
  field: string,
): readonly Sign[] => {
  const signs: Sign[] = [];
  const moves = sentence.hasVerb("send", "put") || (sentence.hasVerb("weakSend") && sentence.has(dataNouns));
  const movesNear = around.some((near) => near.hasNew && near.hasVerb("send"));
  for (const [at, token] of sentence.tokens.entries()) {
    if (!sentence.isNew(at) || !isSecretPath(token) || sentence.isNegated(at)) continue;
    // One name among those of other files is an example of a file.
    if (!moves && !/[\\/]/.test(token.text) && sentence.tokens.some((other) => isOtherFile(other)))
      signs.push(sign("secret_name_introduced", "moderate", "new text names a file of keys among others"));
    else if (moves || movesNear || sentence.hasVerb("read", "call")) signs.push(leak("a file of keys or passwords"));
    else signs.push(sign("secret_name_introduced", "high", "new text names a file of keys or passwords"));
  }
  for (const { at, to, run } of [...sentence.runs(secretNouns), ...namesOfSecrets(sentence)]) {
    if (!sentence.isNew(at, to) && !hasNewMove(sentence)) continue;
    if (sentence.isNegated(at) || isExcluded(sentence, at)) continue;
    signs.push(ofNoun(sentence, at, run, movesNear, context, role, field));
  }
  return signs;
};

const isOtherFile = (token: Token): boolean =>
  /\.(?:json|ya?ml|toml|txt|md|js|ts|py|lock)$|^dockerfile$/.test(token.text) && !isSecretPath(token);

const ofNoun = (
  sentence: Sentence,
  at: number,
  run: string,
  movesNear: boolean,
  context: TextContext,
  role: TextRole,
  field: string,
): Sign => {
  if (sentence.has(exampleWords, at - 12, at))
    return sign("secret_name_introduced", "minor", "a new example names a secret");
  const isMeant = isRequirement(sentence) || isMeans(sentence, at);
  // At first sight a word that many tools use is no reason for a quarantine by itself.
  const isVague = context.isNewItem && weakNouns.has(run) && !isSomebodys(sentence, at);
  if (isMoved(sentence, at) && !isMeant && !isVague) return leak("a secret");
  const isUsual = context.knowsSecrets || context.isNewItem;
  if (movesNear || (isRead(sentence, at) && !isMeant))
    return sign("secret_name_introduced", isUsual ? "moderate" : "high", "new text asks for a secret");
  if (isUsual || isMeant || fieldKinds(field).has("secret"))
    return sign("secret_name_introduced", "moderate", "new text names a secret");
  const isWanted =
    isSomebodys(sentence, at) || (role !== "parameter" && !weakNouns.has(run) && namesArgument(sentence, context));
  const isOdd = isWanted || (role === "parameter" && !weakNouns.has(run));
  return sign("secret_name_introduced", isOdd ? "high" : "moderate", "new text names a secret");
};

/** `AWS_SECRET_ACCESS_KEY`, `db_password`. */
const namesOfSecrets = (
  sentence: Sentence,
): readonly { readonly at: number; readonly to: number; readonly run: string }[] =>
  sentence.tokens.flatMap(({ kind, text }, at) =>
    kind === "word" && text.includes("_") && secretName(text) !== null ? [{ at, to: at + 1, run: text }] : [],
  );

const namesArgument = (sentence: Sentence, { parameters }: TextContext): boolean =>
  sentence.tokens.some(({ text }) => parameters.has(text));

/** Tools for browsers and programs speak of them. */
export const weakNouns = wordSet(
  "cookies session_cookie session_cookies auth_header authorization_header environment_variable environment_variables env_var env_variables credentials password passwords secrets credit_card credential database_url kubeconfig connection_string connection_strings bearer_token auth_token auth_tokens",
);

/** A verb that hands on stands before what it hands on, or takes it up again: "look up the passwords and attach them". */
const isMoved = (sentence: Sentence, at: number): boolean =>
  sentence.verbs("send").some((verb) => Math.abs(verb - at) <= 14) ||
  sentence
    .verbs("put")
    .some((verb) => (verb < at ? at - verb <= 10 : verb - at <= 14 && pronouns.has(sentence.word(verb + 1))));
const pronouns = wordSet("it them this that these those");

/** "the user's passwords". */
const isSomebodys = (sentence: Sentence, at: number): boolean =>
  sentence.has(owners, at - 5, at) && !sentence.has(conditions, 0, at);
const owners = wordSet(
  "user's users' customer's person's their his her somebody's owner's victim's client's employee's saved stored",
);
const conditions = wordSet("if when");

/** "per API key", "with your token": by which something is done, and not what is handed on. */
const isMeans = (sentence: Sentence, at: number): boolean => sentence.has(means, at - 2, at);
const means = wordSet("per via using by with without each uses use");

const isRead = (sentence: Sentence, at: number): boolean =>
  sentence.verbs("read").some((verb) => verb < at && at - verb <= 8);

const leak = (what: string): Sign =>
  sign("description_exfiltration", "critical", `new text wants ${what} read or passed on`);

const hasNewMove = (sentence: Sentence): boolean =>
  (["send", "put"] as const).some((kind) => sentence.verbs(kind).some((at) => sentence.isNew(at)));

/** "requires an API key", "set TAVILY_API_KEY": what an operator does before. */
const isRequirement = (sentence: Sentence): boolean =>
  sentence.has(requirements) && !sentence.tokens.some(({ kind }) => kind !== "word");
const requirements = wordSet(
  "missing invalid expired wrong unauthorized error errors 401 403 requires require required needs authenticate authenticates authentication authenticated configured configure provided header authorize authorizes permission scope",
);

/** "any sensitive information such as keys", in a sentence that says what not to do from its beginning. */
const isExcluded = (sentence: Sentence, at: number): boolean => {
  for (let before = at - 1; before >= 0 && before > at - 30; before--)
    if (exclusions.has(sentence.word(before))) return !sentence.has(undone, before, at);
  return false;
};
const exclusions = wordSet(
  "not never don't without avoid exclude excludes excluding except redact redacts redacted masks masked omit omits",
);
const undone = wordSet("forget fail skip until unless proceed continue hesitate work works but instead");
