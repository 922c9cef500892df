import { wordClass } from "./lexicon.ts";
import type { Word } from "./words.ts";

const c = wordClass;
const modals = new Set(["do", "can", "should", "does", "could"]);
const generalAsks = new Set(["how", "what", "where"]);

/** `How do I solve`, `how do you say`, `give me`, `as if you were`: nobody in particular. */
const isAnybody = (words: readonly Word[], at: number, head: number): boolean => {
  const { text } = words[at] as Word;
  const before = words[at - 1]?.text ?? "";
  if (text === "me" || text === "us") return at === head + 1;
  if (text === "let's") return at < head;
  if (text !== "i" && text !== "you") return false;
  if (text === "you" && (before === "if" || before === "as")) return true;
  return modals.has(before) && (generalAsks.has(words[at - 2]?.text ?? "") || words[at - 3]?.text === "how");
};

/** It speaks of whoever wrote the mail, or of what is theirs: we, our team. */
export const speaksOfWriter = (words: readonly Word[], head: number): boolean => {
  for (let at = 0; at < words.length; at++)
    if (((words[at] as Word).bits & c.self) !== 0 && !isAnybody(words, at, head)) return true;
  return false;
};

const ownText = c.output | c.product | c.code;
const isOwnText = (word: Word | undefined): boolean => word !== undefined && (word.bits & ownText) !== 0;

/** It speaks of the reader as a person: your account, when you arrive. `Your answer` is what an assistant gives. */
export const speaksToReader = (words: readonly Word[], head: number): boolean => {
  for (let at = head + 1; at < words.length; at++)
    if (
      ((words[at] as Word).bits & c.you) !== 0 &&
      !isAnybody(words, at, head) &&
      !isOwnText(words[at + 1]) &&
      !isOwnText(words[at + 2])
    )
      return true;
  return false;
};
