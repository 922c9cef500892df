import type { Passage, Signal, SignalSource } from "../signal.ts";
import { channelOf } from "./channel.ts";
import { isProse } from "./prose.ts";
import { embeddedTasks, mailThreshold, speaksOfAnswer } from "./tasks.ts";

/** What a task counts for next to other signs, from 0.57 to 0.6: enough to mark a text by itself, too little to block it. */
const weightOf = (score: number): number => 0.5 + 0.1 * score;
/** What the end of a text counts for that was too long to be weighed: as much as the least task. */
const unweighed = 0.5;
/** Fewer letters hold no request in a mail: one that stands alone is the mail. */
const fewestCharacters = 20;

const none: readonly Signal[] = Object.freeze([]);

/**
 * Tasks for an assistant in what people write to each other; on pages only those that speak of their reader's answer, for pages
 * explain and instruct.
 */
export const embedded: SignalSource = Object.freeze({
  id: "embedded",
  signals: ({ text, action }: Passage): readonly Signal[] => {
    if (text.length < fewestCharacters) return none;
    const isPage = channelOf(action, text) === "page";
    if ((isPage && !speaksOfAnswer(text)) || !isProse(text)) return none;
    const { tasks, unweighedFrom } = embeddedTasks(text, mailThreshold, isPage ? "about_answer" : "every_task");
    const signals: Signal[] = tasks.map(({ start, end, score }) => ({
      class: "embedded_task",
      start,
      end,
      weight: weightOf(score),
    }));
    if (unweighedFrom !== null)
      signals.push({ class: "embedded_task", start: unweighedFrom, end: text.length, weight: unweighed });
    return signals;
  },
});
