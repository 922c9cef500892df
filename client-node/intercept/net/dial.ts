import { isIP } from "node:net";
import { blocked } from "../../ask.ts";
import type { Guard, Permission } from "../ask.ts";

/** One address, about to be dialed. `host` is what it was found under: a name, or the address itself. */
export interface Dial {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly family: number;
  readonly protocol: "tcp" | "udp";
}

export const dialAction = "net.dial";
const familyOf = isIP;

export const dialOf = (host: string, address: string, port: number, protocol: Dial["protocol"] = "tcp"): Dial => ({
  host,
  address,
  port,
  family: familyOf(address),
  protocol,
});

/** The address that may be dialed: the one asked for, or another that a rule put in its place. @throws BlockedError */
export const dialSync = (guard: Guard, dial: Dial): string =>
  permittedAddress(dial, guard.askSync(dialAction, { ...dial }));

/** The same without waiting. Rejects with BlockedError. */
export const dialLater = async (guard: Guard, dial: Dial): Promise<string> =>
  permittedAddress(dial, await guard.ask(dialAction, { ...dial }));

/** A rule may change the address, and nothing else: the port was judged with the connection. */
const permittedAddress = (dial: Dial, { args }: Permission): string => {
  if (args === null) return dial.address;
  const { address, port } = args;
  if (typeof address !== "string" || familyOf(address) === 0 || port !== dial.port) {
    throw blocked(dialAction, "a rewrite of a dial gives an IP address, and leaves its port");
  }
  return address;
};
