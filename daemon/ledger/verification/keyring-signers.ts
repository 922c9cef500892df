import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { KeyringTrust } from "../../keys/keyring-trust.ts";
import { readTrust } from "../../keys/trust-files.ts";
import type { BelievedKey } from "./signers.ts";

/**
 * The keys of the role `receipts` of a keyring, those that others handed over to among them. A log has a time for each receipt, so a key that
 * was revoked is believed for what is older: a history cannot be signed anew. Throws KeyRefused, and Refusal where there is none.
 */
export const readKeyringSigners = async (path: string): Promise<readonly BelievedKey[]> => {
  const trust = await readTrust({ trust: [], keyring: { path, whenMissing: "refuse" } });
  const signers = signersIn(trust);
  if (signers.length > 0) return signers;
  throw new Refusal(ExitCode.refused, `keyring ${path} has no key of the role receipts; interlock keys trust adds one`);
};

const signersIn = ({ lines, revocations }: KeyringTrust): readonly BelievedKey[] =>
  lines
    .filter(({ role }) => role === "receipts")
    .map(({ key, from, not_before_ms, not_after_ms }) => {
      const revoked = revocations.filter(({ key_id }) => key_id === key.keyId).map(({ at_ms }) => at_ms);
      return Object.freeze({
        key,
        // A successor's first checkpoint may be of receipts that a crash left, older than the hand-over.
        not_before_ms: from === null ? not_before_ms : null,
        not_after_ms,
        revoked_at_ms: revoked.length === 0 ? null : Math.min(...revoked),
      });
    });
