import { timeText } from "../../../wire/utc-time.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import type { KeyringTrust } from "../keyring-trust.ts";
import { keyRoles } from "../roles.ts";
import { readTrust, type TrustPlaces } from "../trust-files.ts";

/** `interlock keys list`: every key in every role, and how it stands now. */
export const list = (places: TrustPlaces, now_ms: number): Promise<CommandResult> =>
  orRefusal(async () => {
    const trust = await readTrust(places);
    const keys = keysOf(trust, now_ms);
    const lines = keys.map(({ role, key_id, standing, from, not_before, not_after }) =>
      [
        role.padEnd(8),
        key_id,
        standing.replaceAll("_", " "),
        ...(from === null ? [] : [`(handed over by ${from})`]),
        ...(standing === "not_yet_valid" ? [`from ${not_before}`] : []),
        ...(not_after === null ? [] : [`until ${not_after}`]),
      ].join(" "),
    );
    const thresholds = [...trust.thresholds].map(([role, count]) => `${role} needs ${count} signers`);
    const revoked = trust.revocations.map(
      ({ key_id, at_ms, reason }) => `revoked  ${key_id} from ${timeText(at_ms)}: ${reason}`,
    );
    return done([...(lines.length === 0 ? ["no key is trusted"] : lines), ...thresholds, ...revoked], {
      keys,
      thresholds: Object.fromEntries(trust.thresholds),
      revocations: trust.revocations.map(({ key_id, at_ms, reason, successors }) => ({
        key_id,
        at: timeText(at_ms),
        reason,
        successors,
      })),
    });
  }, ExitCode.refused);

const keysOf = (trust: KeyringTrust, now_ms: number) =>
  keyRoles.flatMap((role) =>
    trust.lines
      .filter((line) => line.role === role)
      .map(({ key, from, signer, not_before_ms, not_after_ms }) => ({
        role,
        key_id: key.keyId,
        standing: trust.standingOf(role, key.keyId, now_ms),
        from,
        signer,
        not_before: not_before_ms === null ? null : timeText(not_before_ms),
        not_after: not_after_ms === null ? null : timeText(not_after_ms),
      })),
  );
