import { decodedIn } from "../../../../rules/scan/decode.ts";
import type { TextContext, TextRole } from "./context.ts";
import { isSecretPath } from "./secret-path.ts";
import { type Sentence, sentencesOf } from "./sentence.ts";
import { type Sign, sign } from "./sign.ts";
import { accountSigns } from "./signs/accounts.ts";
import { addressSigns } from "./signs/addresses.ts";
import { concealmentSigns } from "./signs/concealment.ts";
import { dataSigns } from "./signs/data.ts";
import { defianceSigns } from "./signs/defiance.ts";
import { orderSigns } from "./signs/orders.ts";
import { reachSigns } from "./signs/reach.ts";
import { safetySigns } from "./signs/safety.ts";
import { secretSigns } from "./signs/secrets.ts";
import { sessionSigns } from "./signs/session.ts";
import { sinkSigns } from "./signs/sinks.ts";
import { tokensIn } from "./token.ts";

/** Encodings inside of encodings. */
const mostLayers = 3;
/** Shorter is no sentence. */
const shortestInner = 8;

export interface Judged {
  readonly signs: readonly Sign[];
  /** Sentences with something new, for whoever looks at all texts of an item together. */
  readonly sentences: readonly Sentence[];
}

/** What a text does that the approved ones did not, also where it is written in base64, in hexadecimal or with escapes. */
export const judgeText = (text: string, role: TextRole, field: string, context: TextContext): Judged =>
  judged(text, role, field, context, 0);

const judged = (text: string, role: TextRole, field: string, context: TextContext, depth: number): Judged => {
  const tokens = tokensIn(text);
  const sentences = sentencesOf(tokens, context.known.newIn(tokens));
  const signs: Sign[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (!sentence.hasNew) continue;
    const around = [sentences[at - 1], sentences[at + 1]].filter((near) => near !== undefined);
    signs.push(...addressSigns(sentence, around, context, role));
    if (role === "link") {
      if (sentence.tokens.some(isSecretPath))
        signs.push(sign("secret_name_introduced", "high", "a new link leads to a file of keys or passwords"));
      continue;
    }
    signs.push(
      ...secretSigns(sentence, around, context, role, field),
      ...sessionSigns(sentence, around, context, role, field),
      ...defianceSigns(sentence, context, role),
      ...dataSigns(sentence, context),
      ...accountSigns(sentence, context),
      ...reachSigns(sentence, context),
      ...(role === "parameter" ? safetySigns(sentence, field) : []),
      ...concealmentSigns(sentence),
      ...orderSigns(sentence, context),
      ...sinkSigns(sentence, context),
    );
  }
  const fresh = sentences.filter(({ hasNew }) => hasNew);
  if (depth >= mostLayers || text.startsWith("data:")) return { signs, sentences: fresh };
  for (const { text: inner, isBinary } of decodedIn(text)) {
    if (isBinary || inner.length < shortestInner || inner === text) continue;
    const found = judged(inner, role, field, context, depth + 1);
    // Whoever disguises what he says has a reason.
    signs.push(...found.signs);
    fresh.push(...found.sentences);
  }
  return { signs, sentences: fresh };
};
