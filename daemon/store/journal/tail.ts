import { parseReceiptLine } from "../receipt-line.ts";
import type { ReceiptRow } from "../store.ts";
import { readJournal } from "./file.ts";
import { isRowsLine, parseRowsLine, type RowsLine } from "./rows-line.ts";

/** What a journal holds, up to the first line that is not whole. */
export interface JournalTail {
  readonly rows: readonly ReceiptRow[];
  /** Rows that were written with receipts, all of which are there. */
  readonly changed: readonly RowsLine[];
  /** A line before the last is not whole: damage. A torn last line is only a crash, and was never acknowledged. */
  readonly damaged: boolean;
}

/**
 * Reads the journal. A last line without its line feed was never acknowledged. A reader beside the writer may catch it
 * between two states: it takes the whole lines in order, and the rest is in the database or comes later.
 *
 * Changed rows stand before their receipts, in one append. Where a crash left fewer receipts than they name, neither they
 * nor those receipts were acknowledged: an ALLOW without its claim would be found again by whoever asks again.
 */
export const readJournalTail = (path: string): JournalTail => {
  const lines = readJournal(path).split("\n");
  // What stands behind the last line feed is torn, even if that is all it lacks.
  lines.pop();
  let rows: ReceiptRow[] = [];
  const changed: RowsLine[] = [];
  /** Its receipts are still to come. */
  let expected: RowsLine | null = null;
  let damaged = false;
  for (const line of lines) {
    const before = rows.at(-1);
    if (isRowsLine(line)) {
      const next = parseRowsLine(line);
      damaged = next === null || expected !== null || (before !== undefined && next.first !== before.seq + 1);
      if (next === null || damaged) break;
      expected = next;
      continue;
    }
    const row = parseReceiptLine(line);
    const isNext =
      before === undefined ? expected === null || row?.seq === expected.first : row?.seq === before.seq + 1;
    damaged = row === null || !isNext;
    if (row === null || damaged) break;
    rows.push(row);
    if (row.seq === expected?.last) {
      changed.push(expected);
      expected = null;
    }
  }
  if (expected !== null) {
    const { first } = expected;
    rows = rows.filter(({ seq }) => seq < first);
  }
  return { rows, changed, damaged };
};
