import { setTimeout as after } from "node:timers/promises";
import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import { receiptLine } from "../export-format.ts";
import { type CommandOutput, refused, streaming } from "./output.ts";
import { receiptSummary } from "./receipt-line.ts";

export interface TailOptions {
  /** How many of the newest receipts to begin with. */
  readonly count: number;
  /** Goes on with receipts as they are written, until `signal` is aborted. */
  readonly follow: boolean;
  /** One line of JSON a receipt, as in an export. */
  readonly json: boolean;
  readonly signal: AbortSignal;
}

const lookAgain_ms = 250;

/** The newest receipts, oldest first. Exit 0; 2 for a count that is none; 5 where there is no ledger. */
export const tail = async (place: ReceiptPlace, options: TailOptions): Promise<CommandOutput> => {
  if (!Number.isSafeInteger(options.count) || options.count < 0) {
    return refused(ExitCode.refused, "the number of receipts must be 0 or more");
  }
  return streaming(place, (reader) => tailLines(reader, options));
};

async function* tailLines(reader: ReceiptReader, options: TailOptions): AsyncGenerator<string> {
  let next = Math.max(1, (await reader.newestSeq()) - options.count + 1);
  for (;;) {
    for await (const row of reader.rows(next, Number.MAX_SAFE_INTEGER)) {
      if (options.signal.aborted) return;
      yield options.json ? receiptLine(row) : receiptSummary(row.seq, row.receipt);
      next = row.seq + 1;
    }
    if (!options.follow || options.signal.aborted) return;
    await after(lookAgain_ms, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
