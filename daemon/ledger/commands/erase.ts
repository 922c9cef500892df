import { ExitCode } from "../../exit-codes.ts";
import { embeddedStore } from "../../store/postgres/address.ts";
import { openReader, type ReceiptPlace } from "../../store/receipt-reader.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import type { SaltName } from "../../store/store.ts";
import { commitmentIn, putOf } from "../commitments.ts";
import { type Committed, committed } from "../hash.ts";
import { parseReceipt } from "../parse-receipt.ts";
import { type CommandOutput, done, refused, storeError } from "./output.ts";

/**
 * Erases what could prove, or betray, the values of one receipt: its salts, or the one of `field` (null for all). The receipt and
 * its chain stay. Works beside the daemon. Exit 0 erased, 2 where the receipt does not exist or has no such salt, 5 where
 * there is no ledger.
 */
export const erase = async (place: ReceiptPlace, seq: number, field: string | null): Promise<CommandOutput> => {
  const what = committed.find((name) => name === field) ?? null;
  if (field !== null && what === null) {
    return refused(ExitCode.refused, `--field is one of ${committed.join(", ")}`);
  }
  try {
    const names = await saltsOf(place, seq, what);
    const erased = names.length > 0 && (await eraseIn(place, seq, names));
    const of = what === null ? "" : ` of the ${meant[what]}`;
    if (!erased) return refused(ExitCode.refused, `receipt ${seq} has no salt${of} to erase`);
    return done([`receipt ${seq}: ${what === null ? all : one(what)}`]);
  } catch (error) {
    return storeError(error);
  }
};

const meant: Readonly<Record<Committed, string>> = Object.freeze({
  arguments: "arguments",
  response: "response",
  final: "final value",
});

const all = "its salts are erased; what it commits to can no longer be proved";
const one = (what: Committed): string =>
  `the salt of its ${meant[what]} is erased; ${what === "arguments" ? "they" : "it"} can no longer be proved`;

/** The salts that are meant; none where the receipt commits to no such value. */
const saltsOf = async (place: ReceiptPlace, seq: number, what: Committed | null): Promise<readonly SaltName[]> => {
  const reader = await openReader(place);
  try {
    const row = Number.isSafeInteger(seq) && seq > 0 ? await reader.find(seq) : null;
    if (row === null) return [];
    if (what === null) return ["salt", "final_salt"];
    const receipt = parseReceipt(row.receipt);
    if (receipt?.kind !== "decision" || commitmentIn(receipt, what) === null) return [];
    return [what === putOf(receipt.phase) ? "salt" : "final_salt"];
  } finally {
    await reader.close();
  }
};

const eraseIn = async ({ state, store }: ReceiptPlace, seq: number, names: readonly SaltName[]): Promise<boolean> => {
  const directory = findStateDirectory(state);
  if (store !== embeddedStore) {
    const { erasePostgresSalts } = await import("../../store/postgres/read-receipts.ts");
    return erasePostgresSalts(store, directory, seq, names);
  }
  const { eraseSalts } = await import("../../store/sqlite/erase-salts.ts");
  return eraseSalts(directory, seq, names);
};
