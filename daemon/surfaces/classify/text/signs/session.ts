import { nameWords, wordSet } from "../../names/words.ts";
import type { TextContext, TextRole } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { dataNouns, sessionNouns } from "../vocabulary.ts";

/** What the model and its user have besides the call: the conversation, other tools' results, the user's files and screen. */
export const sessionSigns = (
  sentence: Sentence,
  around: readonly Sentence[],
  context: TextContext,
  role: TextRole,
  field: string,
): readonly Sign[] => {
  const signs: Sign[] = [];
  const moves = sentence.hasVerb("send", "put") || (sentence.hasVerb("weakSend") && sentence.has(dataNouns));
  const movesNear = around.some((near) => near.hasNew && near.hasVerb("send"));
  const isWanted = sentence.hasVerb("read", "weakSend") || sentence.has(wanting);
  for (const { at, to } of [...sentence.runs(sessionNouns), ...talks(sentence, context)]) {
    const isNewMove = (["send", "put"] as const).some((kind) =>
      sentence.verbs(kind).some((verb) => sentence.isNew(verb)),
    );
    if ((!sentence.isNew(at, to) && !isNewMove) || sentence.isNegated(at)) continue;
    if (moves || movesNear) signs.push(leak("critical"));
    else signs.push(isWanted || isOdd(sentence, at, to, context, role, field) ? leak("high") : named);
  }
  if (context.isNewItem) return signs;
  if (asksForAll(sentence, role) || asksForOwnThings(sentence, context)) signs.push(leak("high"));
  return signs;
};

const leak = (severity: "critical" | "high"): Sign =>
  sign("description_exfiltration", severity, "new text wants what the model or its user has elsewhere passed on");
const named = sign("secret_name_introduced", "moderate", "new text names what the model knows from its session");

const wanting = wordSet("needs need requires require wants want hand hands handed must should");

/** A parameter may be a prompt itself; any other has no use for one. */
const isOdd = (
  sentence: Sentence,
  at: number,
  to: number,
  { isNewItem }: TextContext,
  role: TextRole,
  field: string,
): boolean =>
  role === "parameter" &&
  !isNewItem &&
  !nameWords(field).some((word) => sentence.word(at) === word || sentence.word(to - 1) === word);

const talk = wordSet("conversation chat dialogue transcript");
const extent = wordSet("full entire whole complete earlier previous prior all every preceding history");

/** "all earlier chat messages", "the full text of the conversation". A tool for chats speaks of chats. */
const talks = (
  sentence: Sentence,
  { known, isNewItem }: TextContext,
): readonly { readonly at: number; readonly to: number }[] =>
  sentence.tokens.flatMap(({ text }, at) =>
    talk.has(text) &&
    !isNewItem &&
    !known.words.has(text) &&
    (sentence.has(extent, at - 5, at) || isHanded(sentence, at))
      ? [{ at, to: at + 1 }]
      : [],
  );

/** "submit a transcript of the conversation". */
const isHanded = (sentence: Sentence, at: number): boolean =>
  [...sentence.verbs("send"), ...sentence.verbs("put")].some((verb) => verb < at && at - verb <= 6);

const all = wordSet("every all each any previous prior earlier other preceding whole entire");
const turns = wordSet(
  "tool tools call calls message messages turn turns conversation chat interaction interactions dialogue exchange",
);
const talkTurns = wordSet("message messages turn turns conversation chat interaction interactions dialogue");
const past = wordSet(
  "session conversation chat exchanged far called seen received used made sent returned discussed mentioned invoked",
);

/** "the output of every tool you have called in this session". */
const asksForAll = (sentence: Sentence, role: TextRole): boolean => {
  if (role !== "parameter" && !sentence.hasVerb("send", "put")) return false;
  for (const at of sentence.tokens.keys()) {
    if (!all.has(sentence.word(at)) || sentence.isNegated(at)) continue;
    const turn = sentence.find(sentence.hasVerb("send", "put") ? turns : talkTurns, at + 1, at + 4);
    if (turn >= 0 && sentence.isNew(at, turn + 1) && sentence.has(past, turn + 1, turn + 8) && sentence.has(dataNouns))
      return true;
  }
  return false;
};

const possessive = wordSet("user's users' their person's owner's customer's human's");
const things = wordSet(
  "notes folder folders files documents desktop photos pictures contacts calendar browser clipboard inbox mails emails machine computer laptop disk screen location screenshots downloads home history microphone camera bookmarks wallet accounts passwords keys phone",
);
/** Nobody's tool looks at them by the way. */
const intimate = wordSet("clipboard keystrokes microphone webcam contacts keylogger");

/** "the user's notes folder", "read the clipboard": what lies beside what the tool is for. */
const asksForOwnThings = (sentence: Sentence, { known }: TextContext): boolean => {
  if (!sentence.hasVerb("read", "put", "send", "weakSend") && !sentence.has(wanting)) return false;
  for (const [at, { text }] of sentence.tokens.entries()) {
    if (known.words.has(text) || sentence.isNegated(at) || !sentence.isNew(at)) continue;
    if (intimate.has(text) && sentence.hasVerb("send", "put")) return true;
    if (intimate.has(text) && sentence.hasVerb("read") && sentence.has(taking)) return true;
    if (
      things.has(text) &&
      sentence.has(possessive, at - 4, at) &&
      (sentence.hasVerb("send", "put") || sentence.has(taking))
    )
      return true;
  }
  return false;
};
const taking = wordSet("hand hands add adds upload attach send share give gives forward include pass copy submit");
