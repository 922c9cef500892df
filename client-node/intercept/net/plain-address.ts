import { isIPv6 } from "node:net";

const isSix = isIPv6;
const toUrl = URL;

/**
 * An address in the one form that rules compare: IPv6 shortened (RFC 5952) and without its zone, an IPv4 address that is written as
 * an IPv6 one (`::ffff:7f00:1`) as IPv4, and the unspecified address as the loopback one that the kernel connects to.
 */
export const plainAddress = (address: string): string => {
  if (!isSix(address)) return address === "0.0.0.0" ? "127.0.0.1" : address;
  const [unzoned = ""] = address.split("%");
  const short = new toUrl(`http://[${unzoned}]/`).hostname.slice(1, -1);
  if (short === "::") return "::1";
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (mapped === null) return short;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number];
  return plainAddress([high >> 8, high & 255, low >> 8, low & 255].join("."));
};
