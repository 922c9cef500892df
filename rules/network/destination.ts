import ipaddr from "ipaddr.js";
import { type HostKind, hostKind } from "./host-name.ts";
import { isPipe, socketAt } from "./socket-path.ts";

/** Longer than any URL that servers take; signed links and SAML requests stay below. */
export const maxDestinationCharacters = 16_384;

/** Where a text leads. Closed: whoever judges one says something to each. */
export type Destination =
  | {
      readonly kind: "network";
      /** `https`; `http` where none was written, as tools add it. */
      readonly scheme: string;
      /** As a URL has it: `example.com`, `[::1]`, `xn--...`. */
      readonly host: string;
      readonly is: HostKind;
      /** Empty: the scheme's own. */
      readonly port: string;
      readonly url: URL;
    }
  /** A socket of this machine. */
  | { readonly kind: "socket"; readonly path: string }
  /** A scheme that names no host: `file`, `data`, `javascript`. */
  | { readonly kind: "inline"; readonly scheme: string }
  | { readonly kind: "mail"; readonly domain: string; readonly is: HostKind }
  /** A path below some address that is not written here. */
  | { readonly kind: "relative" }
  | { readonly kind: "unreadable"; readonly why: "too_long" | "no_address" | "ambiguous" };

/**
 * Where an address leads, read by the parser that fetch uses: `2130706433`, `0x7f.1`, full-width digits, tabs in the scheme and
 * backslashes mean what they mean there. Any text has a destination, if only `unreadable`.
 */
export const destinationOf = (text: string): Destination => {
  if (text.length > maxDestinationCharacters) return tooLong(text);
  const clean = text.replace(/[\t\n\r]/g, "").replace(ends, "");
  if (clean === "") return noAddress;
  if (isPipe(clean)) return { kind: "socket", path: clean };
  if (/^[\\/]{2}/.test(clean)) return web(`http:${clean}`);
  if (/^[/?#]|^\.{1,2}\//.test(clean)) return relative;
  if (/^[0-9a-f]{0,4}:[0-9a-f]{0,4}:/i.test(clean) && ipaddr.IPv6.isValid(clean))
    return web(`http://[${withoutZone(clean)}]`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(clean)?.[1]?.toLowerCase();
  if (scheme === undefined) return scpOf(clean) ?? web(`http://${clean}`);
  return ofScheme(scheme, clean);
};

/** C0 controls and spaces, which the parser takes off both ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ends = /^[\u0000- ]+|[\u0000- ]+$/g;
export const noAddress: Destination = Object.freeze({ kind: "unreadable", why: "no_address" });
const relative: Destination = Object.freeze({ kind: "relative" });

/** What fetch itself reads as the web: slashes may be missing or lean the other way. */
const webSchemes: ReadonlySet<string> = new Set(["http", "https", "ws", "wss", "ftp"]);
/** These name no host (a bucket is none); a `//` behind them is no authority that anybody connects to. */
const inlineSchemes: ReadonlySet<string> = new Set([
  "file",
  "data",
  "javascript",
  "vbscript",
  "about",
  "blob",
  "cid",
  "s3",
  "gs",
]);
/** An address inside of another scheme: `view-source:http://x`, `jar:http://x!/y`. */
const wrapping: ReadonlySet<string> = new Set(["view-source", "jar", "feed", "url", "filesystem"]);
const socketSchemes: ReadonlySet<string> = new Set(["unix", "http+unix", "https+unix", "ws+unix", "wss+unix", "npipe"]);

const ofScheme = (scheme: string, text: string): Destination => {
  const rest = text.slice(scheme.length + 1);
  if (webSchemes.has(scheme)) return web(text, scheme);
  if (socketSchemes.has(scheme)) return { kind: "socket", path: socketAt(rest) };
  if (wrapping.has(scheme)) return inner(scheme, rest);
  if (scheme === "mailto") return mailOf(decoded(rest.split("?", 1)[0] ?? ""));
  if (inlineSchemes.has(scheme)) return { kind: "inline", scheme };
  if (rest.startsWith("//")) return authorityOf(scheme, text, rest);
  // `localhost:8080` is a host and not the scheme `localhost:`; `git@host:path` has no scheme at all.
  if (/^\d{1,5}(?:$|[/?#])/.test(rest) || scheme.includes(".") || scheme === "localhost")
    return scpOf(text) ?? web(`http://${text}`);
  return { kind: "inline", scheme };
};

/** The scheme of what wraps counts with the host of what is wrapped: neither may be hidden behind the other. */
const inner = (scheme: string, rest: string): Destination => {
  const wrapped = destinationOf(rest);
  return wrapped.kind === "network" ? { ...wrapped, scheme } : { kind: "inline", scheme };
};

/** Any other scheme with an authority, `ssh://git@host`: its host is read as one of the web, so that numbers are what they are. */
const authorityOf = (scheme: string, text: string, rest: string): Destination => {
  const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? "";
  if (authority === "") return { kind: "inline", scheme };
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  // Connection strings of clusters list their hosts: the first that is not public speaks for all.
  const reached = host.split(",").map((one) => web(`http://${one}`, scheme));
  const telling = reached.find((one) => one.kind !== "network" || one.is !== "public") ?? reached[0] ?? noAddress;
  const url = telling.kind === "network" ? urlOf(text) : null;
  return telling.kind !== "network" || url === null ? telling : { ...telling, url };
};

/** `http://a\\@b`: the host is `a` for programs that follow the WHATWG and `b` for those that follow RFC 3986. */
const ambiguousAuthority = /^[a-z][a-z0-9+.-]{0,40}:[\\/]{0,8}[^\\/?#]{1,512}\\[^/?#]{0,512}@/i;
const ambiguous: Destination = Object.freeze({ kind: "unreadable", why: "ambiguous" });

const web = (text: string, scheme = "http"): Destination => {
  if (text.includes("\\") && ambiguousAuthority.test(text)) return ambiguous;
  const url = parsed(text);
  if (url === null || url.hostname === "") return noAddress;
  const host = url.hostname.toLowerCase();
  // The parser lets commas and the like stand: no host has them, and a list of addresses may.
  if (!/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/.test(host)) return noAddress;
  return { kind: "network", scheme, host, is: hostKind(host), port: url.port, url };
};

/** Zones are not part of a URL (WHATWG), and programs take them all the same: `http://[fe80::1%25eth0]/`. */
const parsed = (text: string): URL | null => {
  const plain = urlOf(text);
  if (plain !== null || !text.includes("%")) return plain;
  const zoneless = text.replace(/^([^[]{0,300}\[[0-9a-f:.]{2,45})%[^\]]{1,64}\]/i, "$1]");
  return zoneless === text ? null : urlOf(zoneless);
};

/** Nearly every text is one, so that it is parsed once. */
const urlOf = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** `git@github.com:owner/repo.git`, and `user@host`: of ssh, scp and git, or of mail. */
const scpOf = (text: string): Destination | null => {
  const found = /^[^\s@:/\\]{1,64}@(\[[^\]\s]{2,64}\]|[^\s@:/\\]{1,253})(:[^\s]*)?$/.exec(text);
  if (found === null) return null;
  if (found[2] === undefined) return mailOf(text);
  return web(`http://${found[1]}`, "ssh");
};

const mailOf = (text: string): Destination => {
  const domain = text.slice(text.lastIndexOf("@") + 1).replace(/^\[(?:IPv6:)?([0-9.]+)\]$/i, "$1");
  const url = parsed(`http://${domain.replace(/^\[IPv6:/i, "[")}`);
  if (url === null || url.hostname === "") return noAddress;
  return { kind: "mail", domain: url.hostname, is: hostKind(url.hostname) };
};

const withoutZone = (address: string): string => address.split("%", 1)[0] ?? address;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `data:` is as long as what it holds, and leads nowhere. */
const tooLong = (text: string): Destination =>
  /^data:/i.test(text.slice(0, 5)) ? { kind: "inline", scheme: "data" } : { kind: "unreadable", why: "too_long" };
