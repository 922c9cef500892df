import { ExitCode } from "../../exit-codes.ts";
import { embeddedStore } from "../../store/postgres/address.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { StoreRefused } from "../../store/refused.ts";
import { eraseSalt } from "../../store/sqlite/erase-salt.ts";
import { ledgerExists } from "../../store/sqlite/open-database.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { type CommandOutput, done, refused, storeError } from "./output.ts";

/**
 * Erases what could prove, or betray, the arguments of one receipt: its salt. The receipt and its chain stay. Works
 * beside the daemon. Exit 0 erased, 2 where the receipt does not exist or has no salt, 5 where there is no ledger.
 */
export const erase = async (place: ReceiptPlace, seq: number): Promise<CommandOutput> => {
  try {
    const erased = await eraseIn(place, Number.isSafeInteger(seq) ? seq : 0);
    if (!erased) return refused(ExitCode.refused, `receipt ${seq} has no salt to erase`);
    return done([`receipt ${seq}: the salt is erased; its arguments can no longer be proved`]);
  } catch (error) {
    return storeError(error);
  }
};

/** @param seq 0 for what is no receipt's number: the place is looked at all the same. */
const eraseIn = async ({ state, store }: ReceiptPlace, seq: number): Promise<boolean> => {
  const directory = findStateDirectory(state);
  if (store !== embeddedStore) {
    const { erasePostgresSalt } = await import("../../store/postgres/read-receipts.ts");
    return erasePostgresSalt(store, directory, seq);
  }
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  return seq > 0 && eraseSalt(directory, seq);
};
