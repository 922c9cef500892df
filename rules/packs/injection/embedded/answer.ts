import { wordClass } from "./lexicon.ts";
import type { Word } from "./words.ts";

const c = wordClass;
const wholes = new Set(["whole", "entire", "full", "final", "next"]);
const towards = new Set(["in", "to", "of"]);

/** Times that the reader's answer is named: `your answer`, `your final response`, `in the reply`; with forms of language `return the reply`. */
export const answersIn = (words: readonly Word[], head: number, forms: number): number => {
  let found = 0;
  for (let at = 1; at < words.length; at++) {
    if (((words[at] as Word).bits & c.output) === 0) continue;
    const before = words[at - 1]?.text ?? "";
    const second = words[at - 2]?.text ?? "";
    const isTheAnswer = before === "the" && (towards.has(second) || (at === head + 2 && forms > 0));
    if (before === "your" || second === "your" || wholes.has(before) || isTheAnswer) found++;
  }
  return found;
};

/** Times that another text of the reader's is named: `your message`, `your code`. */
export const ownTextsIn = (words: readonly Word[]): number => {
  let found = 0;
  for (let at = 1; at < words.length; at++)
    if (((words[at] as Word).bits & (c.product | c.code)) !== 0 && words[at - 1]?.text === "your") found++;
  return found;
};
