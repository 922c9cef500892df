import { createHash } from "node:crypto";
import { canonical } from "../../wire/canonical.ts";
import type { OpenLedger } from "../ledger/record.ts";
import { selfId } from "../rulesets/self/self-id.ts";
import { KeyRefused } from "./key-error.ts";
import type { KeyringTrust } from "./keyring-trust.ts";
import { keyRoles } from "./roles.ts";
import type { TrustFiles } from "./trust-files.ts";

/** Under this name the ledger remembers what was believed last; no rule set can have it. */
const servedAs = `${selfId}.keys`;
const withoutKeyring = 1;
const withKeyring = 2;

/** Named in one receipt; of more it says how many. */
const namedAtMost = 50;

type Remembered = Pick<OpenLedger, "served" | "recordServed">;

/**
 * A keyring that is gone takes its revocations and thresholds with it, so a ledger that was served with one is not served without. Throws
 * `KeyRefused` (`key_missing`), StoreFailed.
 */
export const refuseLostKeyring = async (ledger: Pick<Remembered, "served">, { keyring }: TrustFiles): Promise<void> => {
  if (keyring !== null || (await ledger.served(servedAs))?.version !== withKeyring) return;
  throw new KeyRefused(
    "key_missing",
    'the ledger was served with a keyring and there is none now; restore it, or put {"v":1,"keys":[]} in its place',
  );
};

/** Notes in the chain, by `note`, whom this daemon believes from here on, where it is not what it believed before. Throws StoreFailed, and what `note` throws. */
export const noteKeys = async (
  ledger: Remembered,
  { keyring }: TrustFiles,
  trust: KeyringTrust,
  note: (line: string) => Promise<void>,
): Promise<void> => {
  const served = { version: keyring === null ? withoutKeyring : withKeyring, digest: digestOf(trust) };
  const before = (await ledger.served(servedAs)) ?? null;
  if (before?.version === served.version && before.digest === served.digest) return;
  // The first start of a ledger that knows files of public keys alone changes nothing.
  if (before !== null || keyring !== null) await note(`keys: ${keysText(trust)}`);
  await ledger.recordServed(servedAs, served);
};

const digestOf = ({ lines, revocations, thresholds }: KeyringTrust): string => {
  const said = canonical({
    lines: lines.map(({ key, role, signer, not_before_ms, not_after_ms }) => [
      role,
      Buffer.from(key.raw).toString("base64"),
      signer,
      not_before_ms,
      not_after_ms,
    ]),
    revocations: revocations.map(({ key_id, at_ms, successors }) => [key_id, at_ms, [...successors]]),
    thresholds: keyRoles.map((role) => thresholds.get(role) ?? 1),
  });
  return `sha256:${createHash("sha256").update(said).digest("hex")}`;
};

/** Ids alone, such as `rules 0123456789abcdef; rules needs 2; revoked fedcba9876543210`. */
const keysText = ({ lines, revocations, thresholds }: KeyringTrust): string => {
  const named = lines.slice(0, namedAtMost);
  const roles = keyRoles
    .map((role) => [role, ...named.filter((line) => line.role === role).map(({ key }) => key.keyId)])
    .filter((words) => words.length > 1)
    .map((words) => words.join(" "));
  const needed = [...thresholds].map(([role, count]) => `${role} needs ${count}`);
  const revoked = revocations.slice(0, namedAtMost).map(({ key_id }) => key_id);
  const more = lines.length - named.length + revocations.length - revoked.length;
  return [
    ...(roles.length === 0 ? ["none"] : roles),
    ...needed,
    ...(revoked.length === 0 ? [] : [`revoked ${revoked.join(" ")}`]),
    ...(more === 0 ? [] : [`and ${more} more`]),
  ].join("; ");
};
