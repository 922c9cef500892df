import { type Destination, destinationOf } from "./destination.ts";

type NetworkDestination = Extract<Destination, { readonly kind: "network" }>;

export interface Carried {
  readonly destination: Destination;
  /** What the parameter is for: an address that is only named is not one that the server is sent to. */
  readonly use: "fetched" | "returned_to" | "named";
}

/** More parameters than any page has. What stands behind them is not looked at, so a rule refuses the whole. */
const maxParameters = 256;
/** A URL in a URL in a URL: redirectors are chained. */
const maxNesting = 4;

/** Where a browser is sent back to after a sign-in (RFC 6749, OpenID Connect): the user's own machine, for a program on it (RFC 8252). */
const returning: ReadonlySet<string> = new Set([
  "redirect_uri",
  "redirect_url",
  "post_logout_redirect_uri",
  "callback_uri",
]);
/** Who asks, and what is searched for: nobody goes there. */
const naming: ReadonlySet<string> = new Set([
  "origin",
  "referrer",
  "referer",
  "ref",
  "q",
  "query",
  "search",
  "text",
  "body",
  "title",
  "message",
  "description",
  "labels",
  "utm_source",
  "utm_campaign",
  "utm_content",
]);

/**
 * The addresses that a URL carries in its query, its fragment's query and the end of its path: `?url=http://169.254.169.254/`,
 * `/proxy/http://10.0.0.1/`. A server that is asked for one may fetch it or send its caller there. Null where there are too many to
 * look at.
 */
export const carriedBy = ({ url }: NetworkDestination, depth = 0): readonly Carried[] | null => {
  if (url.search.length < 2 && url.hash.length < 2 && !mayBeInPath(url.pathname)) return [];
  const parameters = [...url.searchParams, ...inFragment(url.hash)];
  if (parameters.length > maxParameters) return null;
  const asksSignIn = parameters.some(([name]) => name === "client_id" || name === "response_type");
  const found: Carried[] = [];
  const take = (text: string, use: Carried["use"], isPlace: boolean): boolean => {
    const destination = wholeAddress(text, isPlace);
    if (destination === null) return true;
    found.push({ destination, use });
    if (destination.kind !== "network") return true;
    const deeper = depth < maxNesting ? carriedBy(destination, depth + 1) : null;
    if (deeper === null) return false;
    found.push(...deeper);
    return true;
  };
  for (const [name, value] of parameters)
    if (!take(value, useOf(name.toLowerCase(), asksSignIn), places.test(name))) return null;
  for (const text of inPath(url.pathname)) if (!take(text, "fetched", false)) return null;
  return found;
};

const useOf = (name: string, asksSignIn: boolean): Carried["use"] => {
  if (asksSignIn && returning.has(name)) return "returned_to";
  return naming.has(name) ? "named" : "fetched";
};

const inFragment = (hash: string): readonly (readonly [string, string])[] =>
  hash.includes("=") ? [...new URLSearchParams(hash.slice(hash.indexOf("?") + 1 || 1))] : [];

/** Encoded once more for each server on the way; three times is what chains of sign-ins have. */
const maxDecodings = 3;

/** Parameters whose value is a place though it has no scheme; elsewhere `10.0.0.1` is as likely a version. */
const places =
  /^(?:u|ur[il]|host|hostname|dest|destination|target|to|server|addr|address|endpoint|proxy|domain|site|fetch|src|source|next|redirect\w{0,16}|callback|link|href|page|feed|open|img|image|load|webhook)$/i;

/** The value as an address, if that is what it wholly is. */
const wholeAddress = (value: string, isPlace: boolean): Destination | null => {
  const isOne = (text: string): boolean => isUrl.test(text) || (isPlace && isBare.test(text));
  let text = value;
  for (let turn = 0; turn < maxDecodings && !isOne(text) && text.includes("%"); turn++) text = decoded(text);
  return isOne(text) ? destinationOf(text) : null;
};

const isUrl = /^\s{0,8}(?:[a-z][a-z0-9+.-]{1,20}:[\\/]{1,3}[^\\/\s]|[\\/]{2}[^\\/\s])/i;
/** An address with nothing but a port and a path. */
const isBare = /^\s{0,8}(?:\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)|localhost(?:[:/]|$)|\[[0-9a-f:.]{2,45}\])/i;

const mayBeInPath = (path: string): boolean => /https?(?::|%3a)/i.test(path);

const inPath = (path: string): readonly string[] => {
  const at = path.search(/https?(?::|%3a)/i);
  return at <= 0 ? [] : [path.slice(at)];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
