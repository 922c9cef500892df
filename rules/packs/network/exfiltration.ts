import type { WireObject } from "../../../wire/value.ts";
import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { isInbox, saysSo, serviceOf } from "../../network/collectors.ts";
import { carriesEncodedText, hasDataInHost, hidesLetters } from "../../network/encoded.ts";
import { isAllowed, type PrivateTerms } from "../../network/private.ts";
import { destinationsIn, type Stated } from "../../network/stated.ts";
import { isBelow } from "../../network/suffix.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { everyAction, type NetworkOptions } from "./options.ts";

/**
 * Data that leaves by an address: in the labels of a host, encoded in its path or query, or to a service that shows its owner whatever
 * comes. What is certain is blocked, what has another use is asked about.
 */
export const exfiltration = (options: NetworkOptions, terms: PrivateTerms): DefinedRule => {
  const trusted = new Set(options.allowDomains.map((domain) => domain.toLowerCase()));
  const own = new Set(options.collectors.map((domain) => domain.toLowerCase()));
  return defineRule({
    id: "network.exfiltration",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      let question: EscalateAnswer | undefined;
      for (const stated of destinationsIn(action, args).all) {
        const answer = leaks(stated, { trusted, own, options, terms, sends: sends(args) });
        if (answer?.kind === "block") return answer;
        question ??= answer;
      }
      return question;
    },
    examples: exfiltrationExamples(new Set([...trusted, ...own])),
  });
};

export interface LeakTerms {
  readonly trusted: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  readonly options: NetworkOptions;
  readonly terms: PrivateTerms;
  /** Something goes there beside the address itself. */
  readonly sends: boolean;
}

export const leaks = (
  { destination, how, place, text }: Stated,
  { trusted, own, options, terms, sends: hasBody }: LeakTerms,
): BlockAnswer | EscalateAnswer | undefined => {
  if (destination.kind !== "network" || how === "mentioned") return undefined;
  const { host, url } = destination;
  if (isBelow(host, trusted) || isAllowed(destination, terms.allowHosts)) return undefined;
  const about = { attributedTo: place };
  if (isBelow(host, own)) return block("the host is a collector of this rule set's list", about);
  const service = serviceOf(host);
  if (service === "collector") return block("the host shows its owner whatever is sent there", about);
  if (hasDataInHost(host, writtenHost(text, host))) return block("the name of the host carries data", about);
  if (service === "tunnel") return escalate("the host is a tunnel to somebody's machine", about);
  if (service === "drop" && (hasBody || url.search.length > 1))
    return escalate("it sends to a place that anybody can read", about);
  if (isInbox(url)) return escalate("it sends to an inbox of whoever made the address", about);
  if (saysSo(host)) return escalate("the name of the host says that it collects", about);
  if (how === "resolved" || how === "dialled") return undefined;
  if (hidesLetters(url)) return escalate("the address hides letters behind percent signs", about);
  return carriesEncodedText(url, options.encodedTextBytes)
    ? escalate("the address carries encoded text", about)
    : undefined;
};

const sendingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const sends = ({ method, body, data, json, files, form, content }: WireObject): boolean =>
  (typeof method === "string" && sendingMethods.has(method.toUpperCase())) ||
  [body, data, json, files, form, content].some((value) => value !== undefined && value !== null && value !== "");

/** The host as it was written: encodings have capitals, which a URL does not keep. */
const writtenHost = (text: string, host: string): string => {
  const written =
    /^[^/?#]{0,40}:[\\/]{1,2}(?:[^/?#@]{0,512}@)?([^/?#:@\\]{1,512})/.exec(text.slice(0, 1_200))?.[1] ??
    text.slice(0, 512);
  return written.toLowerCase().replace(/\.$/, "") === host.replace(/\.$/, "") ? written.replace(/\.$/, "") : host;
};

/** Without those of hosts that the options speak of. */
const exfiltrationExamples = (listed: ReadonlySet<string>) => {
  const call = (url: string, expect: "block" | "escalate" | "silent") => ({
    event: { action: "fetch", args: { url } },
    expect,
  });
  const all = [
    call("https://webhook.site/0a1b2c3d", "block"),
    call("https://a1b2c3d4.e5f6a7b8.c9d0e1f2.a3b4c5d6.example.com/", "block"),
    call("https://abcdef.ngrok-free.app/", "escalate"),
    call("https://exfil-collector.example.net/beacon", "escalate"),
    call("https://example.com/t?k=%41%4b%49%41", "escalate"),
    call("https://example.com/t?d=7365637265743d68756e746572322121", "escalate"),
    call("https://d111111abcdef8.cloudfront.net/a.js", "silent"),
    call("https://pastebin.com/raw/0b42rwhf", "silent"),
    call("https://example.com/search?q=caf%C3%A9%20menu", "silent"),
  ] as const;
  return all.filter(({ event }) => !isBelow(new URL(event.args.url).hostname, listed));
};
