import { wordClass } from "./lexicon.ts";
import type { Segment } from "./segments.ts";
import type { Word } from "./words.ts";

/** What a sentence is about, and whether the mail around it is about that too. */
export interface Topics {
  /** Words with a topic. */
  readonly content: number;
  /** Of them: neither what mails are about, nor anywhere near. */
  readonly foreign: number;
  /** Of them: what mails are about. */
  readonly ofMails: number;
  /** Of the others: such as stand near. */
  readonly near: number;
}

const c = wordClass;
const withoutTopic =
  c.stop | c.output | c.product | c.lead | c.self | c.you | c.pointer | c.language | c.audience | c.code | c.form;
/** Further words with a topic are not looked for in the text. */
const maxContent = 12;
/** How far to either side a word counts as of the same mail, in characters. */
const nearby = 2_000;
/** Letters that two forms of a word share. */
const stem = 6;

/** `lower` is the text in lower case. */
export const topicsOf = (words: readonly Word[], head: number, lower: string, { start, end }: Segment): Topics => {
  const before = lower.slice(Math.max(0, start - nearby), start);
  const after = lower.slice(end, end + nearby);
  let content = 0;
  let foreign = 0;
  let ofMails = 0;
  let near = 0;
  for (let at = head + 1; at < words.length && content < maxContent; at++) {
    const { text, bits } = words[at] as Word;
    if (text.length < 3 || (bits & withoutTopic) !== 0) continue;
    content++;
    const root = text.slice(0, stem);
    if ((bits & (c.mail | c.time)) !== 0) ofMails++;
    else if (before.includes(root) || after.includes(root)) near++;
    else foreign++;
  }
  return { content, foreign, ofMails, near };
};
