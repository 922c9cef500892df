import { ExitCode } from "../../exit-codes.ts";
import { eraseSalt } from "../../store/sqlite/erase-salt.ts";
import { ledgerExists } from "../../store/sqlite/open-database.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { type CommandOutput, done, refused, storeError } from "./output.ts";

/**
 * Erases what could prove, or betray, the arguments of one receipt: its salt. The receipt and its chain stay. Works
 * beside the daemon. Exit 0 erased, 2 where the receipt does not exist or has no salt, 5 where there is no ledger.
 */
export const erase = (statePath: string, seq: number): CommandOutput => {
  try {
    const directory = findStateDirectory(statePath);
    if (!ledgerExists(directory.ledgerPath)) {
      return refused(ExitCode.storeUnavailable, `there is no ledger in ${directory.path}`);
    }
    if (!Number.isSafeInteger(seq) || !eraseSalt(directory, seq)) {
      return refused(ExitCode.refused, `receipt ${seq} has no salt to erase`);
    }
    return done([`receipt ${seq}: the salt is erased; its arguments can no longer be proved`]);
  } catch (error) {
    return storeError(error);
  }
};
