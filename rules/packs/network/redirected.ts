import type { WireValue } from "../../../wire/value.ts";
import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { actionKind } from "../../network/action-kind.ts";
import { destinationOf } from "../../network/destination.ts";
import { heldAs, type PrivateTerms } from "../../network/private.ts";
import type { Stated } from "../../network/stated.ts";
import { type Text, textsOf } from "../../scan/texts.ts";
import { everyAction } from "./options.ts";

/**
 * A fetch that was sent on into the private network: by a header `location` of its result, or by the address that the result says it
 * is from. What it brought back does not reach the agent. The card of another agent that leads there is withheld too.
 */
export const redirected = (terms: PrivateTerms): DefinedRule =>
  defineRule({
    id: "network.redirected",
    actions: everyAction,
    phase: "result",
    evaluate({ action, args }) {
      const isCard = /agent.?card/i.test(action);
      if (!isCard && actionKind(action) !== "fetches") return undefined;
      for (const text of textsOf(args).texts) {
        if (text.kind !== "value" || text.text.length > 8_192 || !(isCard ? isEndpoint(text) : leadsOn(text))) continue;
        const target = locationOf(text);
        if (target !== null && isInside(text.place, target, terms))
          return block("it was sent on into the private network", { attributedTo: text.place });
      }
      return undefined;
    },
    examples: [
      {
        event: {
          action: "fetch",
          phase: "result",
          args: { status: 302, headers: { Location: "http://169.254.169.254/" } },
        },
        expect: isInside("", "http://169.254.169.254/", terms) ? "block" : "silent",
      },
      {
        event: {
          action: "fetch",
          phase: "result",
          args: { status: 200, url: "http://metadata.google.internal/", body: "x" },
        },
        expect: "block",
      },
      {
        event: { action: "a2a.agent_card", phase: "result", args: { name: "a", url: "https://agent.example.com/" } },
        expect: "silent",
      },
      {
        event: {
          action: "fetch",
          phase: "result",
          args: { status: 302, headers: { location: "https://example.com/" } },
        },
        expect: "silent",
      },
      {
        event: { action: "fetch", phase: "result", args: { status: 302, headers: { location: "/login" } } },
        expect: "silent",
      },
      {
        event: {
          action: "fetch",
          phase: "result",
          args: { status: 200, body: '{"location": "http://localhost:3000"}' },
        },
        expect: "silent",
      },
    ],
  });

const places: ReadonlySet<string> = new Set([
  "location",
  "contentlocation",
  "redirecturl",
  "redirectedto",
  "finalurl",
  "responseurl",
  "effectiveurl",
  "url",
  "refresh",
]);

/** Where another agent says that it is reached (A2A): whoever reads its card goes there next. */
const isEndpoint = ({ name }: Text): boolean => /^(?:url|endpoint|.{0,40}Url)$/.test(name);

/** The header, wherever the tool puts headers; the address of the response beside its status; or raw headers in a text. */
const leadsOn = ({ name, place, beside, text }: Text): boolean => {
  const plain = name.toLowerCase().replace(/[-_]/g, "");
  if (plain === "headers" || plain === "rawheaders") return /^location:/im.test(text) || isPair(place, text);
  if (!places.has(plain)) return false;
  return /headers/i.test(place) || (beside !== null && hasStatus(beside));
};

const hasStatus = (beside: { readonly [name: string]: WireValue }): boolean =>
  ["status", "statusCode", "status_code", "code"].some(
    (name) => typeof beside[name] === "number" || typeof beside[name] === "string",
  );

/** Headers as a list of pairs: `[["location", "http://..."]]`. */
const isPair = (place: string, text: string): boolean => /\]\[1\]$/.test(place) && /^[a-z]{2,5}:\/\//i.test(text);

const locationOf = ({ name, text }: Text): string | null => {
  if (/headers/i.test(name)) return /^location:[ \t]{0,8}(\S{1,4096})/im.exec(text)?.[1] ?? text;
  return /^refresh$/i.test(name) ? (/url=["']?(\S{1,4096})/i.exec(text)?.[1] ?? null) : text;
};

const isInside = (place: string, text: string, terms: PrivateTerms): boolean => {
  const stated: Stated = { place, text, how: "dialled", destination: destinationOf(text) };
  const held = heldAs(stated, terms);
  return held !== null && (held.what === "metadata" || held.what === "private");
};
