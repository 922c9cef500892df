import { type Carried, carriedBy } from "./carried.ts";
import type { Destination } from "./destination.ts";
import type { HostKind } from "./host-name.ts";
import { otherProtocols } from "./ports.ts";
import type { Stated } from "./stated.ts";

type Network = Extract<Destination, { readonly kind: "network" }>;

/** Why a destination is held. `metadata` is never a question. */
export interface Held {
  readonly what: "metadata" | "private" | "scheme" | "port" | "unreadable";
  readonly reason: string;
}

export interface PrivateTerms {
  /** Hosts of the private network that may be reached, lower case: `localhost:3000`, `10.0.0.5`. */
  readonly allowHosts: ReadonlySet<string>;
  readonly schemes: ReadonlySet<string>;
  /** Empty: every port but those of other protocols. */
  readonly ports: ReadonlySet<number>;
}

const held = (what: Held["what"], reason: string): Held => Object.freeze({ what, reason });

const metadata = held("metadata", "it reaches the credentials of the machine (cloud metadata)");
const inside = held("private", "it reaches into the private network; a host that is meant is named in allowHosts");
const carriesMetadata = held("metadata", "the address carries one of cloud metadata");
const carriesInside = held("private", "the address carries one of the private network");
const carriesTooMuch = held("unreadable", "the address has more parameters than are looked at");
const unreadable = held("unreadable", "it is not an address that can be judged");
const badScheme = held("scheme", "addresses of this scheme are refused");
const badPort = held("port", "the port belongs to another protocol or is not among those allowed");

/** Schemes by which a server is made to read its own files or to speak to what is no web server. Refused of any tool. */
const neverSchemes: ReadonlySet<string> = new Set([
  "gopher",
  "dict",
  "ldap",
  "ldaps",
  "jar",
  "netdoc",
  "tftp",
  "javascript",
  "vbscript",
  "php",
  "phar",
  "expect",
]);

/** Schemes behind which there is a host. Servers of MCP make up their own (`note://internal/todo`), and a
 * database's client reaches the database beside it (`postgres://localhost`): what it is made for is told by who set it up. */
const hosted =
  /^(?:https?|wss?|ftps?|sftp|ssh|scp|git|git\+[a-z]{2,8}|svn|svn\+ssh|hg|smb|cifs|nfs|afp|rsync|telnet|rdp|vnc|rtsps?|rtmps?|mqtts?|stomp|grpcs?|dns|socks[45]?[ah]?|tcp|udp|tls|ssl|docker|oci|imaps?|smtps?|pop3s?|irc|ircs|xmpp|sip|turn|stun|gopher|dict|ldaps?|tftp|jar|view-source|feed|url|filesystem)$/;

/** May this destination be gone to? Null: nothing speaks against it. Sockets have a rule of their own. */
export const heldAs = ({ destination, how, text }: Stated, terms: PrivateTerms): Held | null => {
  switch (destination.kind) {
    case "network":
      return ofNetwork(destination, how, text, terms);
    case "inline":
      return ofScheme(destination.scheme, how, terms);
    case "mail":
      return destination.is === "metadata" ||
        (destination.is !== "public" && /^\[?[0-9a-f:.]+\]?$/.test(destination.domain))
        ? inside
        : null;
    case "unreadable":
      return isGoneTo(how) || destination.why !== "no_address" ? unreadable : null;
    case "relative":
    case "socket":
      return null;
  }
};

/** `localhost:3000` allows that port, `localhost` all of them. */
export const isAllowed = ({ host, port }: Network, allowHosts: ReadonlySet<string>): boolean =>
  allowHosts.size > 0 && (allowHosts.has(host) || allowHosts.has(`${host}:${port}`));

const ofNetwork = (destination: Network, how: Stated["how"], text: string, terms: PrivateTerms): Held | null => {
  const { scheme, port } = destination;
  const wrong = ofScheme(scheme, how, terms);
  if (wrong !== null) return wrong;
  const allowed = isAllowed(destination, terms.allowHosts);
  if (!allowed) {
    const reached = ofHost(destination, how, text);
    if (reached !== null) return reached;
    if (how === "asked" && port !== "" && webSchemes.has(scheme) && !portIsFree(Number(port), terms.ports))
      return badPort;
  }
  return how === "mentioned" || how === "resolved" || how === "dialled" ? null : ofCarried(destination, allowed, terms);
};

const webSchemes: ReadonlySet<string> = new Set(["http", "https", "ws", "wss"]);

const portIsFree = (port: number, ports: ReadonlySet<number>): boolean =>
  ports.size > 0 ? ports.has(port) : !otherProtocols.has(port);

const ofScheme = (scheme: string, how: Stated["how"], { schemes }: PrivateTerms): Held | null => {
  if (neverSchemes.has(scheme) && how !== "mentioned") return badScheme;
  return how === "asked" && !schemes.has(scheme) ? badScheme : null;
};

const ofHost = ({ is, host, scheme }: Network, how: Stated["how"], text: string): Held | null => {
  if (is === "public") return null;
  if (is === "metadata" || is === "link_local") return metadata;
  if (isGoneTo(how)) return inside;
  if (!hosted.test(scheme)) return null;
  if (how === "whole" || how === "named") return how === "named" && isListener(text) ? null : inside;
  // A text may speak of localhost or of a host in a compose file; an address of a network is where somebody is sent.
  return is === "private" && /^[[\d]/.test(host) ? inside : null;
};

const isGoneTo = (how: Stated["how"]): boolean => how === "asked" || how === "dialled";

/** An address on which a server waits: nobody goes there under that name. */
const isListener = (text: string): boolean => /^(?:0\.0\.0\.0|\[?::\]?)$/.test(text);

const ofCarried = (destination: Network, outerIsAllowed: boolean, terms: PrivateTerms): Held | null => {
  const all = carriedBy(destination);
  if (all === null) return carriesTooMuch;
  for (const one of all) {
    const found = ofOneCarried(one, outerIsAllowed, terms);
    if (found !== null) return found;
  }
  return null;
};

/** Schemes that a server which fetches for others must not be handed. */
const carriedNever: ReadonlySet<string> = new Set([...neverSchemes, "file"]);

const ofOneCarried = ({ destination, use }: Carried, outerIsAllowed: boolean, terms: PrivateTerms): Held | null => {
  if (destination.kind === "inline")
    return use === "fetched" && carriedNever.has(destination.scheme) ? badScheme : null;
  if (destination.kind !== "network" || isAllowed(destination, terms.allowHosts)) return null;
  if (destination.is === "public") return use === "fetched" && carriedNever.has(destination.scheme) ? badScheme : null;
  if (isCredentials(destination.is)) return carriesMetadata;
  return use === "fetched" && !outerIsAllowed ? carriesInside : null;
};

const isCredentials = (is: HostKind): boolean => is === "metadata" || is === "link_local";
