import { wordClass } from "./lexicon.ts";
import type { Sentence, Word } from "./words.ts";

/** How a sentence begins, once "please", "can you" and "in your answer," are taken away. */
export interface Opening {
  /** Index of its verb or question word among the words; their number where nothing is left. */
  readonly head: number;
  /** It is addressed to somebody who can do things: `can you`, `I want you to`. */
  readonly asksSomebody: boolean;
  readonly isPolite: boolean;
  /** It holds only in a case that comes first: `if not, reply`. */
  readonly isConditional: boolean;
  /** Do not, never. */
  readonly forbids: boolean;
  /** It begins with a greeting of somebody: `Hi Rob,`. */
  readonly greets: boolean;
}

const { lead, clause, self } = wordClass;
const modal = new Set(["can", "could", "would", "will"]);
const afterYou = new Set(["must", "should", "can", "will", "need", "have", "may", "might", "are", "to"]);
const afterMake = new Set(["sure", "certain"]);
const greetings = new Set(["hi", "hello", "hey", "dear"]);
const conditions = new Set(["if", "when", "once", "before", "after", "while"]);
/** Longer openings are not looked through. */
const maxWordsBefore = 12;

/** A clause before a comma is left out when it begins with a preposition, a word before a colon as a label. */
export const openingOf = (sentence: Sentence): Opening => {
  const { words, pauses } = sentence;
  let head = 0;
  let asksSomebody = false;
  let isPolite = false;
  let isConditional = false;
  let forbids = false;
  const greets = greetings.has(words[0]?.text ?? "") && (pauses.has(1) || pauses.has(2));
  for (let at = 0; at < words.length && at < maxWordsBefore; at++) {
    const { text: word, bits } = words[at] as Word;
    if (at === head && (bits & clause) !== 0) {
      const after = pauseAfter(sentence, at);
      if (after > 0) {
        isConditional ||= conditions.has(word);
        head = after;
        at = after - 1;
        continue;
      }
    }
    if (at > head) break;
    if (pauses.has(at) && at < 2) {
      head = at + 1;
      continue;
    }
    if (word === "never" || word === "don't" || (word === "not" && words[at - 1]?.text === "do"))
      forbids = words[at + 1]?.text !== "forget" && words[at + 1]?.text !== "hesitate";
    if (word === "please" || word === "kindly") isPolite = true;
    if (modal.has(word)) {
      if (words[at + 1]?.text !== "you") break;
      asksSomebody = true;
      head = at + 2;
      at++;
      continue;
    }
    if (word === "you" && afterYou.has(words[at + 1]?.text ?? "")) asksSomebody = true;
    else if (word === "make" && !afterMake.has(words[at + 1]?.text ?? "")) break;
    else if ((bits & (lead | self)) === 0 && word !== "make" && word !== "ensure") break;
    head = at + 1;
  }
  return { head: Math.min(head, words.length), asksSomebody, isPolite, isConditional, forbids, greets };
};

const pauseAfter = ({ words, pauses }: Sentence, from: number): number => {
  for (let at = from + 1; at < words.length - 1 && at < from + maxWordsBefore; at++) if (pauses.has(at)) return at + 1;
  return -1;
};
