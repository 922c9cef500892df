import { wordSet } from "../../names/words.ts";
import type { TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { dataNouns, outsideNouns, sinkRuns } from "../vocabulary.ts";

/** "are sent to a collection agency", and not to whoever called. */
const isHandedOver = (sentence: Sentence, verb: number): boolean => {
  const to = sentence.find(toWord, verb + 1, verb + 6);
  return (
    to >= 0 &&
    sentence.isNew(verb, to + 2) &&
    sentence.isNew(verb) &&
    to + 1 < sentence.tokens.length &&
    !isAsking(sentence, verb) &&
    !sentence.has(callers, to + 1, to + 5)
  );
};
const toWord = wordSet("to");
const callers = wordSet(
  "user caller client clients server service api endpoint backend model agent assistant you stdout stderr console browser page application database queue tool me llm it them the_client process terminal stdin tab element input field",
);

const publicPlaces = wordSet("public pastebin gist s3 bucket external third-party vendor partner offsite");
const everything = wordSet("everything anything");
const extents = wordSet("every all each copy copies full whole entire complete any");
/** "Sends a request to the service": how a tool works. */
const isAsking = (sentence: Sentence, verb: number): boolean => sentence.has(requests, verb + 1, verb + 4);
const requests = wordSet("request requests query queries ping http get post command commands signal heartbeat");
const besides = wordSet(
  "also additionally afterwards moreover too besides furthermore likewise addition copy copies simultaneously",
);
const directions = wordSet("to into at through via towards");
const strictlyOutside = wordSet(
  "external third-party partner partners vendor vendors collector outsiders telemetry analytics offsite off-site remote outside auditor auditors s3 bucket pastebin gist mailbox inbox",
);

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
    if (context.known.words.has(sentence.word(verb)) || context.isSender) continue;
    // "is also forwarded": a deed beside the tool's own.
    if (
      !isAsking(sentence, verb) &&
      sentence.isNew(verb) &&
      sentence.has(besides) &&
      sentence.has(directions, verb + 1, verb + 8)
    )
      signs.push(sign("sink_added", "high", "new text sends something besides"));
    if (context.isReader && isHandedOver(sentence, verb))
      signs.push(sign("sink_added", "high", "new text of a tool that reads sends something"));
    const outside = sentence.find(outsideNouns, verb + 1);
    if (isAsking(sentence, verb)) continue;
    if (everything.has(sentence.word(verb + 1)) && sentence.isNew(verb))
      signs.push(sign("sink_added", "high", "new text has everything sent"));
    if (outside < 0 || !sentence.isNew(verb, outside + 1) || context.known.words.has(sentence.word(outside))) continue;
    const isGrave =
      sentence.isNew(verb) &&
      sentence.isNew(outside) &&
      (strictlyOutside.has(sentence.word(outside)) || (sentence.has(dataNouns) && sentence.has(extents)));
    signs.push(sign("sink_added", isGrave ? "high" : "moderate", "new text sends something outside"));
  }
  for (const verb of sentence.verbs("weakSend")) {
    if (everything.has(sentence.word(verb + 1)) && sentence.isNew(verb))
      signs.push(sign("sink_added", "high", "new text has everything sent"));
    const outside = sentence.find(strictlyOutside, verb + 1, verb + 14);
    const isPublic = outside >= 0 && publicPlaces.has(sentence.word(outside));
    if (
      outside < 0 ||
      (!isPublic && !sentence.has(dataNouns, verb, outside)) ||
      !sentence.isNew(verb) ||
      context.known.words.has(sentence.word(outside))
    )
      continue;
    signs.push(sign("sink_added", context.isSender ? "moderate" : "high", "new text keeps a copy outside"));
  }
  return signs;
};
