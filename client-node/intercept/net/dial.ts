import { isIP } from "node:net";
import { blocked } from "../../ask.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard, Permission } from "../ask.ts";
import { plainAddress } from "./plain-address.ts";

/**
 * One address, about to be dialed, in the form that rules compare. `host` is what it was found under: a name, or the address as it was
 * written.
 */
export interface Dial {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly family: number;
  readonly protocol: Protocol;
}

type Protocol = "tcp" | "udp";

export const dialAction = "net.dial";
const familyOf = isIP;

/** What is about to be dialed, as it goes to the kernel. */
export interface Destination {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
}

const dialOf = ({ host, address, port, protocol }: Destination): Dial => {
  const plain = plainAddress(address);
  return { host, address: plain, port, family: familyOf(plain), protocol };
};

/** The address that may be dialed: the one asked for, or another that a rule put in its place. @throws BlockedError */
export const dialSync = (guard: Guard, to: Destination): string => {
  const dial = dialOf(to);
  return permittedAddress(to, dial, guard.askSync(dialAction, { ...dial }));
};

/** The same without waiting. Rejects with BlockedError. */
export const dialLater = async (guard: Guard, to: Destination): Promise<string> => {
  const dial = dialOf(to);
  return permittedAddress(to, dial, await ownPromise(guard.ask(dialAction, { ...dial })));
};

/** A rule may change the address, and nothing else: the port was judged with the connection. */
const permittedAddress = (to: Destination, dial: Dial, { args }: Permission): string => {
  if (args === null) return to.address;
  const { address, port } = args;
  if (typeof address !== "string" || familyOf(address) === 0 || port !== dial.port) {
    throw blocked(dialAction, "a rewrite of a dial gives an IP address, and leaves its port");
  }
  return address === dial.address ? to.address : address;
};
