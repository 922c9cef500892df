import type { Surface } from "./features.ts";
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
  /** Of those that are foreign: names, to judge by a capital. */
  readonly names: number;
}

const c = wordClass;
const withoutTopic =
  c.stop |
  c.time |
  c.output |
  c.product |
  c.lead |
  c.self |
  c.you |
  c.pointer |
  c.language |
  c.audience |
  c.code |
  c.form;
const isCapital = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;
/** Further words with a topic are not looked for in the text. */
const maxContent = 12;
/** How far to either side a word counts as of the same mail, in characters. */
const nearby = 2_000;
/** Letters that two forms of a word share. */
const stem = 6;

export const topicsOf = (
  words: readonly Word[],
  head: number,
  { text: written, lower }: Surface,
  { start, end }: Segment,
): Topics => {
  const before = lower.slice(Math.max(0, start - nearby), start);
  const after = lower.slice(end, end + nearby);
  let content = 0;
  let foreign = 0;
  let ofMails = 0;
  let near = 0;
  let names = 0;
  for (let at = head + 1; at < words.length && content < maxContent; at++) {
    const { text, bits, at: offset } = words[at] as Word;
    if (text.length < 3 || (bits & withoutTopic) !== 0) continue;
    content++;
    const root = text.slice(0, stem);
    if ((bits & c.mail) !== 0) ofMails++;
    else if (before.includes(root) || after.includes(root)) near++;
    else {
      foreign++;
      if (isCapital(written.charCodeAt(start + offset))) names++;
    }
  }
  return { content, foreign, ofMails, near, names };
};
