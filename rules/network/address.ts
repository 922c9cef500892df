import ipaddr from "ipaddr.js";
import { metadataAddresses } from "./metadata.ts";

/** What an address is for, as far as it matters to whoever sends there. `reserved`: nothing that answers in public has it. */
export type AddressKind = "public" | "loopback" | "link_local" | "private" | "metadata" | "reserved";

/**
 * What the address is, IPv6 that carries an IPv4 address included: mapped (RFC 4291 2.5.5.2), compatible, NAT64 (RFC 6052) and
 * ISATAP (RFC 5214) are what they carry. IPv4 is dotted decimal, as a URL parser leaves it. 6to4 and Teredo are taken out of use (RFC 7526): whatever they carry is reserved. Null
 * where it is no address.
 */
export const addressKind = (text: string): AddressKind | null => {
  // Nearly every text is a name; the library tries six patterns on it before it says so.
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$|:/.test(text)) return null;
  const bare = text.includes("%") ? text.slice(0, text.indexOf("%")) : text;
  if (!ipaddr.isValid(bare)) return null;
  const address = ipaddr.parse(bare);
  return address instanceof ipaddr.IPv6 ? ofIPv6(address) : ofIPv4(address as ipaddr.IPv4);
};

const ofIPv4 = (address: ipaddr.IPv4): AddressKind => {
  if (metadataAddresses.has(address.toString())) return "metadata";
  switch (address.range()) {
    case "unicast":
      return "public";
    case "loopback":
    // This host on this network (RFC 1122): Linux and macOS connect to the machine itself.
    case "unspecified":
      return "loopback";
    case "linkLocal":
      return "link_local";
    case "private":
    case "carrierGradeNat":
      return "private";
    default:
      return "reserved";
  }
};

const ofIPv6 = (address: ipaddr.IPv6): AddressKind => {
  if (metadataAddresses.has(address.toString())) return "metadata";
  const { parts } = address;
  const [first = 0, second = 0, third = 0] = parts;
  if (parts.slice(0, 6).every((part) => part === 0)) return compatible(parts);
  if (parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff) return ofIPv4(carried(parts));
  if (first === 0x64 && second === 0xff9b) return third === 0 ? ofIPv4(carried(parts)) : "private";
  if (parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)) {
    const inner = ofIPv4(carried(parts));
    if (inner !== "public") return inner;
  }
  switch (address.range()) {
    case "linkLocal":
      return "link_local";
    case "uniqueLocal":
      return "private";
    case "unicast":
      // What is assigned to be reached is in 2000::/3 (RFC 4291 2.4).
      return first >= 0x2000 && first < 0x4000 ? "public" : "reserved";
    default:
      return "reserved";
  }
};

/** `::`, `::1`, and `::a.b.c.d`, which is long deprecated and still a way to write 127.0.0.1. */
const compatible = (parts: readonly number[]): AddressKind => {
  const inner = ofIPv4(carried(parts));
  return inner === "public" ? "reserved" : inner;
};

const carried = (parts: readonly number[]): ipaddr.IPv4 => {
  const [high = 0, low = 0] = parts.slice(6);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
};
