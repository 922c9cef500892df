import { followHandovers } from "./follow-handovers.ts";
import { isWithinDays, type KeyLine, lineOf } from "./key-line.ts";
import type { Keyring } from "./keyring.ts";
import type { PublicKey } from "./public-key.ts";
import type { Revocation } from "./revocation.ts";
import type { KeyRole } from "./roles.ts";
import { takeRevocations, withoutDisowned } from "./take-revocations.ts";
import type { KeyStanding, Trust } from "./trust.ts";

/** A keyring that was judged: `Trust`, and what it rests on. */
export interface KeyringTrust extends Trust {
  /** Every key in every role that it has, revoked ones and those out of their days too. */
  readonly lines: readonly KeyLine[];
  readonly revocations: readonly Revocation[];
  readonly thresholds: ReadonlyMap<KeyRole, number>;
}

/**
 * The security argument, in order: the keys that the owner lists; the keys that they handed over to; the revocations that such keys, or the owner,
 * made; and then what those leave. `others` are keys of files of public keys, in one role each, without days; what the keyring says of
 * such a key goes first. Throws `KeyRefused`: a document that does not hold refuses the whole keyring, so that nothing is believed by halves.
 */
export const keyringTrust = (
  keyring: Keyring,
  others: { readonly role: KeyRole; readonly keys: readonly PublicKey[] },
  path: string,
): KeyringTrust => {
  const listed = [
    ...listedIn(keyring),
    ...others.keys.filter(notIn(keyring)).map((key) => plainLine(key, others.role)),
  ];
  const followed = followHandovers(onceEach(listed), keyring.handovers, path);
  const revocations = takeRevocations(followed, keyring.revoked, keyring.revocations, path);
  const lines = withoutDisowned(followed, revocations, keyring.handovers);
  const isRevoked = (key_id: string, at_ms: number): boolean =>
    revocations.some((revocation) => revocation.key_id === key_id && revocation.at_ms <= at_ms);
  return Object.freeze({
    lines,
    revocations,
    thresholds: keyring.thresholds,
    keysOf: (role: KeyRole, at_ms: number) =>
      Object.freeze(
        lines
          .filter((line) => line.role === role && isWithinDays(line, at_ms) && !isRevoked(line.key.keyId, at_ms))
          .map(({ key }) => key),
      ),
    thresholdOf: (role: KeyRole) => keyring.thresholds.get(role) ?? 1,
    standingOf: (role: KeyRole, key_id: string, at_ms: number): KeyStanding => {
      if (isRevoked(key_id, at_ms)) return "revoked";
      const line = lineOf(lines, role, key_id);
      if (line === undefined) return lines.some(({ key }) => key.keyId === key_id) ? "other_role" : "unknown";
      if (isWithinDays(line, at_ms)) return "believed";
      return line.not_before_ms !== null && at_ms < line.not_before_ms ? "not_yet_valid" : "expired";
    },
    signerOf: (role: KeyRole, key_id: string) => lineOf(lines, role, key_id)?.signer ?? key_id,
  });
};

const listedIn = ({ keys }: Keyring): readonly KeyLine[] =>
  keys.flatMap(({ key, roles, not_before_ms, not_after_ms }) =>
    roles.map((role) => Object.freeze({ ...plainLine(key, role), not_before_ms, not_after_ms })),
  );

const notIn =
  ({ keys }: Keyring) =>
  ({ keyId }: PublicKey): boolean =>
    !keys.some(({ key }) => key.keyId === keyId);

const plainLine = (key: PublicKey, role: KeyRole): KeyLine =>
  Object.freeze({ key, role, signer: key.keyId, from: null, steps: 0, not_before_ms: null, not_after_ms: null });

/** Two files of public keys may hold the same key. */
const onceEach = (lines: readonly KeyLine[]): readonly KeyLine[] =>
  lines.filter((line, index) => lineOf(lines.slice(0, index), line.role, line.key.keyId) === undefined);
