import { type AddressKind, addressKind } from "./address.ts";
import { metadataNames } from "./metadata.ts";
import { isBelow } from "./suffix.ts";

/** `wildcard_dns`: a public name that answers with an address that whoever asks has written into it, or with 127.0.0.1. */
export type HostKind = AddressKind | "wildcard_dns";

/** RFC 6761, 6762, 8375, 9476, what ICANN keeps free for private use (`internal`), and what clusters, containers and routers use. */
const privateSuffixes: ReadonlySet<string> = new Set([
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "intra",
  "private",
  "corp",
  "home",
  "lan",
  "test",
  "home.arpa",
  "svc",
  "pod",
  "default",
  "cluster",
  "k8s",
  "kube",
  "docker",
  "consul",
  "workgroup",
  "router",
  "fritz.box",
  "routerlogin.net",
  "tplinkwifi.net",
]);

const wildcardDns: ReadonlySet<string> = new Set([
  "nip.io",
  "sslip.io",
  "xip.io",
  "xip.name",
  "backname.io",
  "traefik.me",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "localho.st",
  "localhost.direct",
  "lcl.host",
  "fuf.me",
  "local.gd",
  "localdomain.pw",
  "smackaho.st",
  "plex.direct",
  // Made to answer first with one address and then with another.
  "1u.ms",
  "rbndr.us",
  "rebind.it",
  "rebind.network",
  "rebinder.net",
]);

/** What a host is, written as the WHATWG URL parser writes one: lower case, `[::1]`, `xn--`. */
export const hostKind = (host: string): HostKind => {
  const address = addressKind(host.startsWith("[") ? host.slice(1, -1) : host);
  if (address !== null) return address;
  const name = host.replace(/\.$/, "");
  if (name === "" || name.startsWith("[")) return "reserved";
  if (metadataNames.has(name)) return "metadata";
  if (name === "localhost" || name.endsWith(".localhost") || name === "localhost.localdomain") return "loopback";
  if (!name.includes(".") || isBelow(name, privateSuffixes)) return "private";
  if (isBelow(name, wildcardDns) || carriesPrivateAddress(name)) return "wildcard_dns";
  return "public";
};

const dashed = /(?:^|-)(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?:$|-)/;
/** 127.0.0.1 and 169.254.169.254; other addresses in hex cannot be told from any eight digits. */
const inHex: ReadonlySet<string> = new Set(["7f000001", "a9fea9fe"]);

/** `10.0.0.1.example.com`, `a.192-168-0-1.example.com`: a name under which somebody's own resolver answers with that address. */
const carriesPrivateAddress = (name: string): boolean => {
  const labels = name.split(".");
  return labels.some((label, at) => {
    if (inHex.has(label)) return true;
    const [, ...parts] = dashed.exec(label) ?? [];
    const dotted = labels.slice(at, at + 4);
    return isInside(parts) || (dotted.every((part) => /^\d{1,3}$/.test(part)) && isInside(dotted));
  });
};

const isInside = (parts: readonly string[]): boolean => {
  if (parts.length !== 4) return false;
  const kind = addressKind(parts.map(Number).join("."));
  return kind === "loopback" || kind === "private" || kind === "link_local" || kind === "metadata";
};
