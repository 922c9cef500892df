import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import type { KeyRole } from "../roles.ts";
import { afterReload } from "./takes-effect.ts";

/** `interlock keys threshold ROLE COUNT`: so many signers of a role have to have signed. */
export const threshold = (places: KeyringPlaces, role: KeyRole, count: number): Promise<CommandResult> =>
  orRefusal(async () => {
    await changeKeyring(places, (file, before) => {
      const isRevoked = (id: string): boolean => before.revocations.some(({ key_id }) => key_id === id);
      const left = before.lines.filter((line) => line.role === role && !isRevoked(line.key.keyId));
      const signers = new Set(left.map(({ signer }) => signer)).size;
      if (count > signers) {
        throw new Refusal(ExitCode.refused, `${role} has ${signers} of ${count} signers; trust another key first`);
      }
      return [{ ...file, thresholds: { ...file.thresholds, [role]: count } }, null];
    });
    return done([`${role} needs ${count} signers`, `wrote ${places.keyring.path}`, afterReload], {
      role,
      threshold: count,
      keyring: places.keyring.path,
    });
  }, ExitCode.refused);
