import type { PublicKey } from "./public-key.ts";
import type { KeyRole } from "./roles.ts";

/** How a key stands in a role at a time. Only `believed` is a yes. */
export type KeyStanding = "believed" | "unknown" | "other_role" | "not_yet_valid" | "expired" | "revoked";

/** Whose signatures are believed, in which role, and when. Frozen: another one is read, this one never changes. */
export interface Trust {
  /** Keys that are believed in this role at this time: within their days, and not revoked. */
  keysOf(role: KeyRole, at_ms: number): readonly PublicKey[];
  /** How many signers have to have signed; at least 1. */
  thresholdOf(role: KeyRole): number;
  /** For a refusal that says why. */
  standingOf(role: KeyRole, key_id: string, at_ms: number): KeyStanding;
  /** The signer whose key it is: a key and those that it handed over to are one, and count once towards a threshold. */
  signerOf(role: KeyRole, key_id: string): string;
}

/** Keys of one role that are believed at any time: what a file of public keys alone says. */
export const trustIn = (role: KeyRole, keys: readonly PublicKey[]): Trust => {
  const none: readonly PublicKey[] = Object.freeze([]);
  return Object.freeze({
    keysOf: (asked: KeyRole) => (asked === role ? keys : none),
    thresholdOf: () => 1,
    standingOf: (asked: KeyRole, key_id: string): KeyStanding => {
      if (!keys.some(({ keyId }) => keyId === key_id)) return "unknown";
      return asked === role ? "believed" : "other_role";
    },
    signerOf: (_role: KeyRole, key_id: string) => key_id,
  });
};
