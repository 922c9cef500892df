import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { receiptHash } from "../hash.ts";
import { notProved } from "../not-proved.ts";
import { parseReceipt } from "../parse-receipt.ts";
import type { OfflineDecision } from "../record.ts";
import { whyMissing } from "./missing-receipt.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";
import { printable } from "./receipt-line.ts";

export interface ShowOptions {
  /** One line of JSON: `{hash, not_proved, receipt, salt, final_salt}`. */
  readonly json: boolean;
  /** A salt opens its commitment to whoever can guess the value, so they are shown only when they are asked for. */
  readonly salt: boolean;
}

/** One receipt in full, and what it does not prove. Exit 0; 1 where the receipt is damaged; 2 where there is no such receipt; 5 without a ledger. */
export const show = (place: ReceiptPlace, seq: number, options: ShowOptions): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const row = Number.isSafeInteger(seq) ? await reader.find(seq) : null;
    if (row === null) return refused(ExitCode.refused, await whyMissing(reader, seq));
    const receipt = parseReceipt(row.receipt);
    if (receipt === null) return refused(ExitCode.no, problemLine(seq, "malformed"));
    if (receiptHash(row.receipt) !== row.hash) return refused(ExitCode.no, problemLine(seq, "edited"));
    const salts = options.salt ? { salt: row.salt, final_salt: row.final_salt } : {};
    const checkpoint = await reader.checkpointThrough(Number.MAX_SAFE_INTEGER);
    const not_proved = notProved(receipt, { isCovered: (checkpoint?.size ?? 0) >= seq, hasSalt: row.salt !== null });
    if (options.json) return done([JSON.stringify({ hash: row.hash, not_proved, receipt, ...salts })]);
    const fields = Object.entries({ ...receipt, hash: row.hash, ...salts });
    return done([
      ...fields.map(([name, value]) => `${name}: ${fieldText(value)}`),
      "this receipt does not prove:",
      ...not_proved.map((what) => `- ${what}`),
    ]);
  });

const fieldText = (value: string | number | boolean | null | readonly string[] | OfflineDecision): string => {
  if (value === null || typeof value === "string") return printable(value);
  if (typeof value !== "object") return String(value);
  return "policy" in value ? `at ${value.at_ms} by ${printable(value.policy)}` : value.map(printable).join(" ");
};
