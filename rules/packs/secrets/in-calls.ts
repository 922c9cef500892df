import type { WireObject } from "../../../wire/value.ts";
import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { isOver } from "../../scan/budget.ts";
import type { Found } from "../../scan/found.ts";
import { staysHere } from "../../scan/outward.ts";
import { type Text, textsOf } from "../../scan/texts.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { layersOf, randomWordsIn } from "./evasion.ts";
import { secretsIn } from "./find.ts";
import { inCallsExamples } from "./in-calls.examples.ts";
import { likely } from "./kind.ts";
import type { SecretsOptions } from "./options.ts";
import { shownPlace } from "./place.ts";
import { isFetchedWhereSigned } from "./signed-link.ts";
import { splitSecrets } from "./split.ts";

/** What only its name or its surroundings give away. */
const generic: ReadonlySet<string> = new Set(["named_secret", "password", "bearer_token", "basic_authorization"]);
/** Where money goes: of interest only where a call leaves. */
const addresses: ReadonlySet<string> = new Set(["bitcoin_address", "ethereum_address"]);

/** A secret in the arguments of a call: it is about to leave, or to be written where others read it. Blocked where it is certain, else asked about. */
export const secretsInCalls = (options: Required<SecretsOptions>): DefinedRule =>
  defineRule({
    id: "secrets.in-calls",
    actions: ["*"] as readonly string[],
    phase: "call",
    evaluate({ action, args }) {
      if (isOver(textsOf(args), options.maxScannedCharacters))
        return block("the arguments hold more than is looked at");
      const stays = staysHere(action);
      let doubt: EscalateAnswer | undefined;
      for (const found of secretsIn(args, "call")) {
        if (isMeant(found, args, stays, options)) continue;
        const answer = answerTo(found);
        if (answer.kind === "block") return answer;
        doubt ??= answer;
      }
      const [split] = splitSecrets(args);
      if (split !== undefined)
        return block(`a secret of the kind ${split.class} is split over several arguments`, {
          attributedTo: shownPlace(split.place),
        });
      return doubt ?? (stays ? undefined : hidden(args, options));
    },
    examples: inCallsExamples,
  });

const answerTo = ({ class: kind, confidence, encodings, text }: Found): BlockAnswer | EscalateAnswer => {
  const how = encodings.length === 0 ? "" : `, encoded as ${encodings.join(" in ")}`;
  const about = { attributedTo: shownPlace(text.place) };
  return confidence >= likely
    ? block(`it carries a secret of the kind ${kind}${how}`, about)
    : escalate(`it may carry a secret of the kind ${kind}${how}`, about);
};

/** How a credential is used where it belongs. */
const isMeant = (
  found: Found,
  args: WireObject,
  stays: boolean,
  { allowAuthHeader, opaqueHeaders, namedSecrets }: Required<SecretsOptions>,
): boolean => {
  const { class: kind, text } = found;
  if (isFetchedWhereSigned(found)) return true;
  if (stays && addresses.has(kind)) return true;
  if (stays && generic.has(kind) && namedSecrets === "outward") return true;
  if (!isInHeaders(text)) return false;
  if (generic.has(kind) && opaqueHeaders === "pass") return true;
  return allowAuthHeader.length > 0 && isAllowed(hostOf(args), allowAuthHeader);
};

const isInHeaders = ({ place, kind }: Text): boolean => kind === "value" && /(?:^|\.)headers?(?:[.[]|$)/i.test(place);

const hostOf = (args: WireObject): string | null => {
  const url = args.url ?? args.uri ?? args.href;
  if (typeof url !== "string" || !URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" ? hostname : null;
};

const isAllowed = (host: string | null, allowed: readonly string[]): boolean =>
  host !== null &&
  allowed.some((name) => (name.startsWith(".") ? host.endsWith(name.toLowerCase()) : host === name.toLowerCase()));

/** What leaves in a form that hides it, whatever it is. */
const hidden = (args: WireObject, { highEntropy }: Required<SecretsOptions>): EscalateAnswer | undefined => {
  for (const { text, place } of textsOf(args).texts) {
    if (layersOf(text) >= 3)
      return escalate("it is percent-encoded three times or more", { attributedTo: shownPlace(place) });
    if (highEntropy === "ask" && randomWordsIn(text).length > 0)
      return escalate("it holds a word that looks random", { attributedTo: shownPlace(place) });
  }
  return undefined;
};
