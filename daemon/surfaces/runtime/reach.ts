import { createHash } from "node:crypto";
import { getDomain } from "tldts";
import { hostKind } from "../../../rules/network/host-name.ts";
import { secretsIn } from "../../../rules/packs/secrets/find.ts";
import { secretName } from "../../../rules/packs/secrets/names.ts";
import { destinationsOf } from "../../../rules/scan/destinations.ts";
import { textsOf } from "../../../rules/scan/texts.ts";
import type { WireObject } from "../../../wire/value.ts";
import type { RuntimeFinding } from "./finding.ts";

/** Where one call goes. `domain:` and `mail:` are in clear, by registrable domain; a channel, a topic or a queue is a digest. */
export interface Reach {
  readonly destinations: ReadonlySet<string>;
  /** Does it carry a secret, by its name or by its form? */
  readonly carriesSecret: boolean;
  /** There are more than are looked at. */
  readonly isCutShort: boolean;
}

/** Where a tool's calls went so far. */
export interface ReachProfile {
  readonly destinations: ReadonlySet<string>;
  /** Its destinations are many by nature, as a mailer's are: one more is nothing new. */
  readonly isOpen: boolean;
}

const maxDestinations = 256;
/** A tool that went to so many places in its window, or to one more with nearly every call, is open. */
export const openDestinations = 8;

export const reachOf = (args: WireObject): Reach => {
  const found = destinationsOf(args, maxDestinations);
  if (!found.ok) return { destinations: new Set(), carriesSecret: carriesSecret(args), isCutShort: true };
  return {
    destinations: new Set([...found.destinations].flatMap((destination) => destinationClass(destination) ?? [])),
    carriesSecret: carriesSecret(args),
    isCutShort: false,
  };
};

/** Null where it stays with this machine or its network. */
const destinationClass = (destination: string): string | null => {
  const at = destination.lastIndexOf("@");
  const host = destination.slice(at + 1);
  if (at < 0 && !host.includes(".") && !host.startsWith("[")) return `opaque:${digest(host)}`;
  const kind = hostKind(host);
  if (kind === "loopback" || kind === "private" || kind === "link_local") return null;
  return `${at < 0 ? "domain" : "mail"}:${getDomain(host, { allowPrivateDomains: true }) ?? host}`;
};

/** 16 bytes: to know it again, not to find out what it was. */
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

const carriesSecret = (args: WireObject): boolean =>
  textsOf(args).texts.some(({ kind, name, text }) => kind === "value" && text !== "" && secretName(name) !== null) ||
  secretsIn(args, "call").length > 0;

/** What is new of a call's reach. `allowed` are the domains that an operator declared; what is cut short counts as new. */
export const reachDrift = (
  { destinations, isOpen }: ReachProfile,
  reach: Reach,
  allows: (destination: string) => boolean,
): readonly RuntimeFinding[] => {
  const added = [...reach.destinations].filter((one) => !destinations.has(one) && !allows(one));
  if (added.length === 0 && !reach.isCutShort) return [];
  const where = reach.isCutShort ? "more places than are looked at" : shown(added);
  if (reach.carriesSecret) {
    return [
      {
        type: "external_secret_destination_added",
        severity: "critical",
        reason: `it would carry a secret to where this tool never went: ${where}`,
      },
    ];
  }
  if (isOpen && !reach.isCutShort) return [];
  return [
    { type: "external_destination_added", severity: "high", reason: `it goes where this tool never went: ${where}` },
  ];
};

const mostShown = 4;

/** Host names are made of what names are made of: an address that is none of it is not said. */
const shown = (added: readonly string[]): string => {
  const said = added
    .slice(0, mostShown)
    .map((one) => (one.startsWith("opaque:") ? "a channel, topic or queue" : one.replace(/^(domain|mail):/, "")))
    .map((one) => (/^[\p{L}\p{N}.[\]: ,-]{1,128}$/u.test(one) ? one : "a place whose name cannot be shown"));
  return added.length > mostShown ? `${said.join(", ")} and ${added.length - mostShown} more` : said.join(", ");
};
