import type { PublicKey } from "./public-key.ts";
import type { KeyRole } from "./roles.ts";

/** Whose signatures are believed, in which role, and when. Frozen: another one is read, this one never changes. */
export interface Trust {
  /** Keys that are believed in this role at this time: within their days, and not revoked. */
  keysOf(role: KeyRole, at_ms: number): readonly PublicKey[];
  /** How many of them have to have signed; at least 1. */
  thresholdOf(role: KeyRole): number;
}

/** Keys of one role that are believed at any time: what a file of public keys alone says. */
export const trustIn = (role: KeyRole, keys: readonly PublicKey[]): Trust => {
  const none: readonly PublicKey[] = Object.freeze([]);
  return Object.freeze({
    keysOf: (asked: KeyRole) => (asked === role ? keys : none),
    thresholdOf: () => 1,
  });
};
