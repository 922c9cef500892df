import type { TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { dataNouns, outsideNouns, sinkRuns } from "../vocabulary.ts";

/** Something leaves that did not before, to somewhere that is not named by its address. */
export const sinkSigns = (sentence: Sentence, context: TextContext): readonly Sign[] => {
  const signs: Sign[] = [];
  for (const { at, to, run } of sentence.runs(sinkRuns)) {
    if (!sentence.isNew(at, to) || sentence.isNegated(at) || context.known.words.has(run)) continue;
    const isMoved = sentence.hasVerb("send", "weakSend", "put");
    signs.push(sign("sink_added", isMoved ? "high" : "moderate", "new text has copies sent to somebody else"));
  }
  if (context.isNewItem) return signs;
  for (const verb of sentence.verbs("send")) {
    const outside = sentence.find(outsideNouns, verb + 1);
    if (outside < 0 || !sentence.has(dataNouns, verb, outside + 3) || !sentence.isNew(verb, outside + 1)) continue;
    const isNewVerb = sentence.isNew(verb) && !context.known.words.has(sentence.word(verb));
    const isNewPlace = sentence.isNew(outside) && !context.known.words.has(sentence.word(outside));
    if (!isNewVerb && !isNewPlace) continue;
    signs.push(
      sign(
        "sink_added",
        isNewVerb && isNewPlace && !context.isSender ? "high" : "moderate",
        "new text sends something outside",
      ),
    );
  }
  for (const verb of sentence.verbs("weakSend")) {
    const outside = sentence.find(outsideNouns, verb + 1, verb + 14);
    if (
      outside < 0 ||
      !sentence.has(dataNouns, verb, outside) ||
      !sentence.isNew(verb) ||
      context.known.words.has(sentence.word(outside))
    )
      continue;
    signs.push(sign("sink_added", context.isSender ? "moderate" : "high", "new text keeps a copy outside"));
  }
  return signs;
};
