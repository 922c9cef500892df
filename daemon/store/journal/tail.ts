import { parseReceiptLine } from "../receipt-line.ts";
import type { ReceiptRow } from "../store.ts";
import { readJournal } from "./file.ts";

/** What a journal holds, up to the first line that is not whole. */
export interface JournalTail {
  readonly rows: readonly ReceiptRow[];
  /** A line before the last is not whole: damage. A torn last line is only a crash, and was never acknowledged. */
  readonly damaged: boolean;
}

/**
 * Reads the journal. A last line without its line feed was never acknowledged. A reader beside the writer may catch it
 * between two states: it takes the whole lines in order, and the rest is in the database or comes later.
 */
export const readJournalTail = (path: string): JournalTail => {
  const lines = readJournal(path).split("\n");
  // What stands behind the last line feed is torn, even if that is all it lacks.
  lines.pop();
  const rows: ReceiptRow[] = [];
  for (const line of lines) {
    const row = parseReceiptLine(line);
    const last = rows.at(-1);
    if (row === null || (last !== undefined && row.seq !== last.seq + 1)) return { rows, damaged: true };
    rows.push(row);
  }
  return { rows, damaged: false };
};
