import { remembered } from "../remembered.ts";

/**
 * What the name of an argument says of its value. `address`: it is one, and a tool that fetches goes there. `target`: it may be one.
 * `content`: it is written or said, and nobody goes there. `other`: its text decides.
 */
export type PlaceKind = "address" | "target" | "content" | "identity" | "other";

const addresses: ReadonlySet<string> = new Set([
  "url",
  "urls",
  "uri",
  "uris",
  "href",
  "endpoint",
  "baseurl",
  "host",
  "hostname",
  "hosts",
]);
const targets: ReadonlySet<string> = new Set([
  "to",
  "cc",
  "bcc",
  "address",
  "addresses",
  "target",
  "targets",
  "dest",
  "destination",
  "destinations",
  "server",
  "servers",
  "proxy",
  "callback",
  "webhook",
  "webhooks",
  "link",
  "links",
  "remote",
  "repository",
  "repo",
  "recipient",
  "recipients",
]);
/** `image_url`, `webhookUri`, `api_endpoint`: what ends in one of these is named for an address. */
const targetEndings = /(?:ur[il]s?|endpoints?|webhooks?|hosts?|hostnames?|hrefs?)$/;
const contents: ReadonlySet<string> = new Set([
  "content",
  "contents",
  "text",
  "body",
  "message",
  "oldstring",
  "newstring",
  "oldstr",
  "newstr",
  "oldtext",
  "newtext",
  "filetext",
  "inserttext",
  "newsource",
  "code",
  "diff",
  "patch",
  "html",
  "markdown",
  "description",
  "summary",
  "subject",
  "title",
  "comment",
  "prompt",
  "note",
  "notes",
  "thought",
  "query",
  "pattern",
  "snippet",
  "observation",
  "observations",
  // Commands have a rule of their own, which parses them.
  "command",
  "cmd",
  "script",
]);
/** Who asks: a page's origin is not a place that is gone to. */
const identities: ReadonlySet<string> = new Set([
  "origin",
  "referer",
  "referrer",
  "useragent",
  "xforwardedfor",
  "xrealip",
  "corsorigin",
  "allowedorigins",
]);

const kindOf = (plain: string): PlaceKind => {
  if (identities.has(plain)) return "identity";
  if (addresses.has(plain)) return "address";
  if (contents.has(plain)) return "content";
  return targets.has(plain) || targetEndings.test(plain) ? "target" : "other";
};

/** Names are compared without case, dashes and underscores: `base_url` and `baseUrl` are one. */
export const placeKind = remembered(
  (name): PlaceKind => (name.length > 64 ? "other" : kindOf(name.toLowerCase().replace(/[-_ ]/g, ""))),
);
