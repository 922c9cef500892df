import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { receiptHash } from "../hash.ts";
import { parseReceipt } from "../parse-receipt.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";
import { printable } from "./receipt-line.ts";

export interface ShowOptions {
  /** One line of JSON: `{hash, receipt, salt}`. */
  readonly json: boolean;
  /** The salt opens the commitment to whoever can guess the arguments, so it is shown only when it is asked for. */
  readonly salt: boolean;
}

/** One receipt in full. Exit 0; 1 where the receipt is damaged; 2 where there is no such receipt; 5 without a ledger. */
export const show = (place: ReceiptPlace, seq: number, options: ShowOptions): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const row = Number.isSafeInteger(seq) ? await reader.find(seq) : null;
    if (row === null)
      return refused(ExitCode.refused, `there is no receipt ${seq}; the newest is ${await reader.newestSeq()}`);
    const receipt = parseReceipt(row.receipt);
    if (receipt === null) return refused(ExitCode.no, problemLine(seq, "malformed"));
    if (receiptHash(row.receipt) !== row.hash) return refused(ExitCode.no, problemLine(seq, "edited"));
    const salt = options.salt ? { salt: row.salt } : {};
    if (options.json) return done([JSON.stringify({ hash: row.hash, receipt, ...salt })]);
    const fields = Object.entries({ ...receipt, hash: row.hash, ...salt });
    return done(fields.map(([name, value]) => `${name}: ${fieldText(value)}`));
  });

const fieldText = (value: string | number | boolean | null | readonly string[]): string => {
  if (value === null || typeof value === "string") return printable(value);
  return typeof value === "object" ? value.map(printable).join(" ") : String(value);
};
