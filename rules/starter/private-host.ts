import ipaddr from "ipaddr.js";

/** Names that resolve inside: RFC 6761, RFC 6762, RFC 8375, and what clouds and clusters use. */
const privateSuffixes = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "corp",
  "home",
  "localdomain",
  "home.arpa",
  "cluster.local",
  // Public names that answer with any address written in them.
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
];

/**
 * Is this host, as the WHATWG URL parser writes it, one of a private network? Every address that is not plain global
 * unicast is: loopback, private, link-local, carrier-grade NAT, multicast, reserved, and every IPv6 form that carries an IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo). So is a name without a dot.
 */
export const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.toLowerCase().replace(/\.+$/, "");
  if (host === "") return true;
  const address = host.startsWith("[") ? host.slice(1, -1) : host;
  if (ipaddr.isValid(address)) return isPrivateAddress(address);
  if (host.startsWith("[")) return true;
  return !host.includes(".") || privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
};

const isPrivateAddress = (text: string): boolean => {
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return true;
  // ::/96, IPv4-compatible (RFC 4291 2.5.5.1): deprecated, and still a way to write 127.0.0.1.
  return address instanceof ipaddr.IPv6 && address.parts.slice(0, 6).every((part) => part === 0);
};
