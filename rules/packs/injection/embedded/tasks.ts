import { beginning, beginningsOf, neighboursOf } from "./begins.ts";
import { featureNames, featuresOf, surfaceOf } from "./features.ts";
import { type Segment, segmentsOf } from "./segments.ts";
import { weights } from "./weights.ts";

/** A sentence that asks an assistant for something in a text that came for somebody else. */
export interface EmbeddedTask {
  /** UTF-16 offsets. A code block that it brings along is in it. */
  readonly start: number;
  readonly end: number;
  /** From 0 to 1: how much it is like an attacker's and unlike what mails say. */
  readonly score: number;
}

export interface EmbeddedTasks {
  readonly tasks: readonly EmbeddedTask[];
  /** From where on nothing was weighed; null where all was. Whoever judges must not call the rest clean. */
  readonly unweighedFrom: number | null;
}

/** Sentences of one text that are weighed, in order. A mail has some ten, a book of 1 MiB some four thousand. */
export const maxWeighed = 2_000;

/** Scores below are those of everyday mails. */
export const mailThreshold = 0.7;

/** Without one of these a sentence says nothing of its reader's answer. */
const answerWord = /response|answer|reply|output/i;

export const speaksOfAnswer = (text: string): boolean => answerWord.test(text);

/** Documents speak of the output of a program and of the response of a server; whose answer an attacker means is the reader's. */
const readersOwn = /\byour\b/i;
const aboutAnswer = featureNames.indexOf("tells what the reader's answer is to be");

const weightList: readonly number[] = featureNames.map((name) => weights[name]);

/**
 * The sentences of a text that score at least `threshold`, in order; with "about_answer" only those that say what their reader is to
 * answer (`in your response`). They are found by form (a request or a question that stands
 * in no relation to its writer and reader, an instruction on how an answer is to be written) and by their distance from what the
 * text is about otherwise. The attack is that of Greshake et al. 2023 ("indirect prompt injection") in the form that BIPIA
 * (Yi et al. 2023) measures. English only.
 */
export const embeddedTasks = (
  text: string,
  threshold = mailThreshold,
  wanted: "every_task" | "about_answer" = "every_task",
): EmbeddedTasks => {
  if (wanted === "about_answer" && !speaksOfAnswer(text)) return { tasks: [], unweighedFrom: null };
  const surface = surfaceOf(text);
  const segments = segmentsOf(text);
  const beginnings = beginningsOf(surface, segments);
  const tasks: EmbeddedTask[] = [];
  let weighed = 0;
  for (const [at, segment] of segments.entries()) {
    if (((beginnings[at] as number) & beginning.mayBeTask) === 0) continue;
    if (wanted === "about_answer" && !maySpeakOfAnswer(text.slice(segment.start, segment.end))) continue;
    if (weighed >= maxWeighed) return { tasks, unweighedFrom: segment.start };
    weighed++;
    const features = featuresOf(surface, segment, neighboursOf(beginnings, at));
    if (features === null) continue;
    const score = scoreOf(features);
    if (score < threshold || (wanted === "about_answer" && features[aboutAnswer] !== 1)) continue;
    tasks.push({
      start: segment.start,
      end: endWithCode(text, segment),
      score,
    });
  }
  return { tasks, unweighedFrom: null };
};

const maySpeakOfAnswer = (sentence: string): boolean => answerWord.test(sentence) && readersOwn.test(sentence);

const scoreOf = (features: readonly number[]): number => {
  let sum = 0;
  for (let at = 0; at < features.length; at++) sum += (features[at] as number) * (weightList[at] as number);
  return 1 / (1 + Math.exp(-sum));
};

const fence = "```";
/** A longer block is not that of one request. */
const maxCodeCharacters = 20_000;

/** "Use the following code:" and the block that follows are one. */
const endWithCode = (text: string, { end }: Segment): number => {
  if (text.charAt(end - 1) !== ":") return end;
  const opens = text.indexOf(fence, end);
  if (opens < 0 || text.slice(end, opens).trim() !== "") return end;
  const closes = text.indexOf(fence, opens + fence.length);
  return closes < 0 || closes - opens > maxCodeCharacters ? end : closes + fence.length;
};
