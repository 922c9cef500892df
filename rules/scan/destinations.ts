import type { WireValue } from "../../wire/value.ts";
import { textsOf } from "./texts.ts";

/** Members that say to whom or where something goes: what stands there is a destination, in whatever form. */
const addressees = new Set(
  [
    ...["to", "cc", "bcc", "recipient", "recipients", "addressee", "addressees", "email", "emails", "reply_to"],
    ...["host", "hosts", "hostname", "server", "domain", "channel", "channels", "phone", "chat_id"],
    ...["url", "urls", "uri", "endpoint", "webhook", "webhook_url", "callback_url", "destination", "destinations"],
  ].map(plain),
);
/** Members that hold a command line: addresses stand among other words there. */
const commandLines = new Set(["command", "cmd", "script", "command_line", "shell"].map(plain));

const maxSchemeCharacters = 32;
const maxAuthorityCharacters = 512;
const maxLocalPartCharacters = 64;
const maxDomainCharacters = 255;

/** So many URLs and addresses of one call are looked at. */
const maxCandidates = 2_000;
/** Longer ones are no address by themselves. */
const maxWholeCharacters = 8_192;

export type Destinations =
  | { readonly ok: true; readonly destinations: ReadonlySet<string> }
  /** There is more than is looked at. */
  | { readonly ok: false };

/**
 * Where a call goes: hosts of URLs (as the WHATWG URL parser spells them, without port), addresses of mail, and what stands
 * under a name such as `to` or `host`. Outside of such names a text counts only where all of it is a URL or an address, and in a command line
 * each word with `://`; links in prose or in a file's text are no destinations.
 *
 * @param most where there are more, it stops after one more.
 */
export const destinationsOf = (args: WireValue, most: number): Destinations => {
  const { texts, isCutShort } = textsOf(args);
  if (isCutShort) return { ok: false };
  const found = new Set<string>();
  let looked = 0;
  for (const { text, kind, name } of texts) {
    if (kind === "name") continue;
    for (const destination of inText(text, plain(name))) {
      looked++;
      if (looked > maxCandidates) return { ok: false };
      found.add(destination);
      if (found.size > most) return { ok: true, destinations: found };
    }
  }
  return { ok: true, destinations: found };
};

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

function* inText(text: string, name: string): Generator<string> {
  const trimmed = text.trim();
  if (addressees.has(name)) return yield* toAddressee(trimmed);
  if (commandLines.has(name)) return yield* hosts(trimmed);
  if (trimmed.length > maxWholeCharacters || /\s/.test(trimmed)) return;
  if (trimmed.startsWith("mailto:")) return yield* mailAddresses(trimmed);
  const scheme = trimmed.indexOf("://");
  if (scheme > 0 && scheme <= maxSchemeCharacters) return yield* firstOf(hosts(trimmed));
  if (trimmed.includes("@")) yield* wholeAddress(trimmed);
}

function* toAddressee(text: string): Generator<string> {
  if (text === "") return;
  let isKnown = false;
  for (const found of [hosts, mailAddresses]) {
    for (const destination of found(text)) {
      isKnown = true;
      yield destination;
    }
  }
  if (!isKnown) yield hostOf(text) ?? text.toLowerCase();
}

function* firstOf(found: Generator<string>): Generator<string> {
  const { value, done } = found.next();
  if (done !== true) yield value;
}

const schemeCharacter = /[a-z0-9+.-]/i;
const authorityEnd = /[/?#\\\s"'`<>|;&(){}]/;

/** What stands between `://` and the path, for every `://`. */
function* hosts(text: string): Generator<string> {
  let next = 0;
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", next)) {
    next = at + 3;
    if (at === 0 || !schemeCharacter.test(text[at - 1] as string)) continue;
    const authority = upTo(text, next, maxAuthorityCharacters, authorityEnd);
    next += authority.length;
    if (authority !== "") yield hostOf(authority) ?? authority.toLowerCase();
  }
}

const upTo = (text: string, from: number, most: number, end: RegExp): string => {
  const rest = text.slice(from, from + most);
  const at = rest.search(end);
  return at < 0 ? rest : rest.slice(0, at);
};

/** As a browser would spell it: `0x7f.1` and `127.1` are one host. Null where it is none. */
const hostOf = (authority: string): string | null => {
  if (authority.length > maxAuthorityCharacters || /\s/.test(authority)) return null;
  try {
    const { hostname } = new URL(`http://${authority}`);
    return hostname === "" ? null : hostname.replace(/\.$/, "");
  } catch {
    return null;
  }
};

const addressEnd = /[\s,;:<>"'()[\]?&=\\/@]/;

/** Every `@` with what stands around it. */
function* mailAddresses(text: string): Generator<string> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let from = at;
    while (from > 0 && at - from < maxLocalPartCharacters && !addressEnd.test(text[from - 1] as string)) from--;
    if (from === at) continue;
    const domain = upTo(text, at + 1, maxDomainCharacters, addressEnd);
    if (domain !== "") yield `${text.slice(from, at)}@${domain}`.toLowerCase();
  }
}

/** `jane@example.org` and nothing else: no decorator, no package such as `@scope/name`. */
function* wholeAddress(text: string): Generator<string> {
  for (const found of mailAddresses(text)) {
    if (found.length === text.length && found.includes(".", found.indexOf("@"))) yield found;
    return;
  }
}
