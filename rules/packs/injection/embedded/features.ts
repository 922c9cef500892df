import { answersIn, ownTextsIn } from "./answer.ts";
import { wordClass } from "./lexicon.ts";
import { openingOf } from "./opening.ts";
import { speaksOfWriter, speaksToReader } from "./person.ts";
import type { Segment } from "./segments.ts";
import { topicsOf } from "./topics.ts";
import { type Sentence, sentenceOf, type Word } from "./words.ts";

/** What is looked at in a segment, by name; weights.ts has a number for each. */
export const featureNames = [
  "bias",
  "begins with a verb of writing",
  "begins with a verb of telling",
  "begins with a verb of reshaping",
  "begins with a verb of adding",
  "begins with a verb of errands",
  "begins with a verb of speaking",
  "begins with a verb by which mails call",
  "is a question",
  "asks somebody",
  "is polite",
  "is conditional",
  "forbids",
  "greets",
  "begins with a noun",
  "tells what the reader's answer is to be",
  "names the reader's answer",
  "tells what the reader's text is to be",
  "names the reader's text",
  "asks for a work",
  "names a work",
  "names forms of language",
  "reshapes forms of language",
  "says how to speak",
  "names a language",
  "translates",
  "works on a quoted text",
  "names knowledge",
  "asks for knowledge",
  "speaks of its writer",
  "speaks to its reader",
  "points to something near",
  "takes up something known",
  "goes on with an order",
  "has times or amounts",
  "asks the world",
  "asks what is foreign",
  "demands without a setting",
  "demands what is foreign",
  "asks of a name that is foreign",
  "demands with a name that is foreign",
  "share of words foreign to the mail",
  "foreign to the mail",
  "share of words of mails",
  "words that stand nearby",
  "is very short",
  "is a label",
  "is long",
  "names readers in general",
  "runs on",
  "begins in lower case",
  "is an item of a list",
  "stands among orders",
  "stands among questions",
  "puts code into code",
  "has no sentence end",
] as const;

export type FeatureName = (typeof featureNames)[number];

/** The text in lower case beside the text, for what is looked up in it. Both have the same length. */
export interface Surface {
  readonly text: string;
  readonly lower: string;
}

export const surfaceOf = (text: string): Surface => {
  const lower = text.toLowerCase();
  // Some capitals are longer in lower case; offsets would be off.
  return { text, lower: lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase()) };
};

/** Of the two segments on either side: how many give orders, and how many ask. */
export interface Neighbours {
  readonly orders: number;
  readonly questions: number;
}

const c = wordClass;
const directive = c.make | c.tell | c.shape | c.put | c.errand | c.speak;
/** Further letters of a segment are not looked at. */
const maxCharacters = 600;
const amountPattern = /[$\u20ac\u00a3] ?\d|\d ?%|\d{2}|[a-z0-9]@[a-z0-9]/;
const itemPattern = /^(?:\d{1,2}[.)]|[-*]|[a-d]\))\s/;
const itemBefore = /(?:^|\n)[ \t]{0,8}(?:\d{1,2}[.)]|[-*])[ \t]{0,8}$/;
const nounFollowers = new Set(["of", "for", "by", "from", "is", "was", "are", "were", "has", "had"]);
const thirdPersons = new Set(["it", "them", "him", "her"]);
const manners = new Set(["as", "in", "like", "only", "using", "with"]);
const counts =
  "a an some another any two three four five six seven eight nine ten few several me more 2 3 4 5 6 7 8 9 10";
const counted = new Set(counts.split(" "));
const settled = new Set(["the", "this", "that", "your", "our", "my", "its", "their"]);
const works = c.artefact;
const ofTexts = c.knowledge | c.form | c.language | c.artefact;
const anybodys = c.knowledge | c.form | c.language | c.output | c.audience;

/** Null where the segment has no form of a request. Otherwise a number for each of `featureNames`, from 0 to 1. */
export const featuresOf = (surface: Surface, segment: Segment, neighbours: Neighbours): readonly number[] | null => {
  const piece = surface.lower.slice(segment.start, Math.min(segment.end, segment.start + maxCharacters));
  const sentence = sentenceOf(piece);
  const { words } = sentence;
  if (words.length < 2) return null;
  const opened = openingOf(sentence);
  const { head } = opened;
  const headBits = words[head]?.bits ?? 0;
  // Without its mark it is a heading: "How we made it".
  const isQuestion =
    !opened.asksSomebody && (headBits & c.ask) !== 0 && (headBits & directive) === 0 && piece.includes("?");
  const isNoun = beginsWithNoun(sentence, head);
  const isOrder = (headBits & directive) !== 0 && !isNoun;
  const forms = countOf(words, head, c.form);
  const answers = answersIn(words, head, forms);
  const texts = answers > 0 ? 0 : ownTextsIn(words);
  if (!isQuestion && !isOrder && answers + texts === 0) return null;

  const after = bitsAfter(words, head);
  const has = (bits: number): boolean => (after & bits) !== 0;
  const ofWriter = speaksOfWriter(words, head);
  const toReader = speaksToReader(words, head);
  const points = has(c.pointer) || words[head + 1]?.text === "that" || thirdPersons.has(words[head + 1]?.text ?? "");
  const hasAmounts = has(c.time) || amountPattern.test(piece);
  const isSettled = ofWriter || toReader || points || opened.isConditional;
  const { content, foreign, ofMails, near, names } = topicsOf(words, head, surface, segment);
  const isForeign = !isSettled && foreign > 0 && ofMails === 0 && near === 0;
  const knows = has(c.knowledge);
  const quotes = words.some(({ isQuoted }) => isQuoted);
  const speaks = (headBits & c.speak) !== 0;
  const first = surface.text.charCodeAt(segment.start);
  const last = surface.text.charCodeAt(segment.end - 1);
  const endsSentence = last === 0x2e || last === 0x3f || last === 0x21;
  const isItem =
    itemPattern.test(piece) || itemBefore.test(surface.text.slice(Math.max(0, segment.start - 14), segment.start));

  return [
    true,
    isOrder && (headBits & c.make) !== 0,
    isOrder && (headBits & c.tell) !== 0,
    isOrder && (headBits & c.shape) !== 0,
    isOrder && (headBits & c.put) !== 0,
    isOrder && (headBits & c.errand) !== 0,
    isOrder && speaks,
    isOrder && (headBits & c.call) !== 0,
    isQuestion,
    opened.asksSomebody,
    opened.isPolite,
    opened.isConditional,
    opened.forbids,
    opened.greets,
    isNoun,
    answers > 0 && isOrder,
    answers > 0 && !isOrder,
    texts > 0 && isOrder,
    texts > 0 && !isOrder,
    isOrder && asksForWork(words, head),
    has(works),
    Math.min(forms, 3) / 3,
    isOrder && (headBits & (c.shape | c.speak)) !== 0 && (forms > 0 || has(c.language)),
    isOrder && speaks && manners.has(words[head + 1]?.text ?? ""),
    has(c.language),
    has(c.language) && (quotes || /\btransl|\bequivalent|\bsay\b/.test(piece)),
    quotes && !isSettled && (isOrder || (isQuestion && has(ofTexts))),
    knows,
    knows && !isSettled && (isQuestion || (headBits & c.tell) !== 0),
    ofWriter,
    toReader,
    points,
    takesUpKnown(words, head),
    goesOn(words, head),
    hasAmounts,
    isQuestion && !isSettled && !hasAmounts,
    isQuestion && isForeign,
    isOrder && !isSettled && !hasAmounts,
    isOrder && isForeign,
    isQuestion && !isSettled && names > 0,
    isOrder && !isSettled && names > 0,
    content === 0 ? 0 : foreign / content,
    foreign >= 2 && near === 0,
    content === 0 ? 0 : ofMails / content,
    Math.min(near, 4) / 4,
    words.length < 4,
    words.length < 6 && !endsSentence,
    words.length > 30,
    has(c.audience),
    segment.isRunOn,
    first >= 0x61 && first <= 0x7a,
    isItem,
    Math.min(neighbours.orders, 3) / 3,
    Math.min(neighbours.questions, 3) / 3,
    answers + texts > 0 && /\b(?:following|subsequent|below) code\b/.test(piece),
    !endsSentence,
  ].map(Number);
};

/** The classes of all words behind the first verb. */
const bitsAfter = (words: readonly Word[], head: number): number => {
  let bits = 0;
  for (let at = head + 1; at < words.length; at++) bits |= (words[at] as Word).bits;
  return bits;
};

/** `describe the work`, `check the list`: something that reader and writer know; `the theory of relativity` is known to anybody. */
const takesUpKnown = (words: readonly Word[], head: number): boolean => {
  for (let at = head + 1; at <= head + 2 && at < words.length; at++)
    if (words[at]?.text === "the")
      return (
        !words.slice(at + 2, at + 5).some(({ text }) => text === "of") && ((words[at + 1]?.bits ?? 0) & anybodys) === 0
      );
  return false;
};

/** `... and choose the right one`: one order of several. */
const goesOn = (words: readonly Word[], head: number): boolean => {
  for (let at = head + 1; at < words.length - 1; at++)
    if (words[at]?.text === "and" && ((words[at + 1]?.bits ?? 0) & (c.call | directive)) !== 0) return true;
  return false;
};

const countOf = (words: readonly Word[], head: number, bits: number): number => {
  let found = 0;
  for (let at = head + 1; at < words.length; at++) if (((words[at] as Word).bits & bits) !== 0) found++;
  return found;
};

/** `Review by Ellen`, `Call for papers`, `Answer:`. */
const beginsWithNoun = ({ words, pauses }: Sentence, head: number): boolean =>
  nounFollowers.has(words[head + 1]?.text ?? "") || (pauses.has(head) && head < words.length - 1);

/** `a short poem`, `some recipes`, `three ideas`: no work that stands somewhere already. */
const asksForWork = (words: readonly Word[], head: number): boolean => {
  let isOpen = false;
  for (let at = head + 1; at < Math.min(words.length, head + 9); at++) {
    const { text, bits } = words[at] as Word;
    if (counted.has(text)) isOpen = true;
    else if (settled.has(text)) return false;
    else if ((bits & works) !== 0 && (isOpen || at <= head + 2)) return true;
  }
  return false;
};
