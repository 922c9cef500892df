import type { ChangedRows } from "./changed-rows.ts";
import { parseReceiptLine, receiptLine } from "./receipt-line.ts";
import { StoreFailed } from "./refused.ts";
import type { Steps } from "./steps.ts";
import type { EmbeddedStore, ReceiptRow } from "./store.ts";
import type { ClaimRow, StoreTx, TransactionRow } from "./transaction-rows.ts";

/** Receipts of one page: enough to share the cost of a row, few enough to read all for one. */
export const receiptsPerPage = 64;

/** Consecutive receipts as the database stores them: one row for all. */
export interface Page {
  /** Sequence numbers of the first and the last. */
  readonly first: number;
  readonly last: number;
  /** Their lines (receipt-line.ts), in order. */
  readonly lines: string;
}

/** A page that is to be stored: with the hashes of its receipts, 64 hex digits each, so that whoever signs need not read them out of it. */
export interface NewPage extends Page {
  readonly hashes: string;
}

/** Rows that follow each other, at their places; others are a fork or a gap. Throws StoreFailed. */
export const assertConsecutive = (rows: readonly ReceiptRow[], after: number): void => {
  for (let at = 0; at < rows.length; at++) {
    if (rows[at]?.seq !== after + 1 + at) throw new StoreFailed("the row contradicts the store");
  }
};

/** @param rows consecutive. */
export const pagesOf = (rows: readonly ReceiptRow[]): readonly NewPage[] => {
  const pages: NewPage[] = [];
  for (let at = 0; at < rows.length; at += receiptsPerPage) {
    const part = rows.slice(at, at + receiptsPerPage);
    let lines = "";
    let hashes = "";
    for (const row of part) {
      lines += receiptLine(row);
      hashes += row.hash;
    }
    pages.push({ first: part[0]?.seq as number, last: part.at(-1)?.seq as number, lines, hashes });
  }
  return pages;
};

/**
 * The receipts of a page, each at its place. A line that is damaged, or says that it belongs elsewhere, is given as it
 * is, with no hash: whoever verifies finds it, and nobody takes the page for a shorter one, or for none. One line is given
 * for all that are missing: what a page says of its length is no reason to hold as much.
 */
export const rowsOf = ({ first, last, lines }: Page): readonly ReceiptRow[] => {
  const texts = lines.split("\n");
  const rows: ReceiptRow[] = [];
  for (let seq = first; seq <= Math.max(first, last) && rows.length <= texts.length; seq++) {
    const text = texts[seq - first] ?? "";
    const row = seq <= last ? parseReceiptLine(text) : null;
    rows.push(row !== null && row.seq === seq ? row : { seq, receipt: text, hash: "", salt: null, final_salt: null });
  }
  return rows;
};

/** One page of several that follow each other: the database has fewer rows, each of at most `receiptsPerPage`. */
export const joinPages = (pages: readonly NewPage[]): readonly NewPage[] => {
  const joined: NewPage[] = [];
  for (const page of pages) {
    const before = joined.at(-1);
    if (before !== undefined && page.last - before.first < receiptsPerPage) {
      joined[joined.length - 1] = {
        first: before.first,
        last: page.last,
        lines: before.lines + page.lines,
        hashes: before.hashes + page.hashes,
      };
    } else {
      joined.push(page);
    }
  }
  return joined;
};

/** What a journal hands over. */
export interface Settling {
  readonly pages: readonly NewPage[];
  readonly rows: ChangedRows;
}

/** What a call is looked up by. */
export interface DatabaseRows {
  findClaim(key: string): ClaimRow | null;
  findTransaction(transaction_id: string): TransactionRow | null;
  openTransaction(call_id: string): TransactionRow | null;
  findBox(place: string, now_ms: number): Uint8Array | null;
  /** As `StoreTx.spent`. */
  spent(counter: string, since_ms: number): number;
}

/** A store that also takes pages that are made already: what a journal settles into. */
export interface PagedStore extends EmbeddedStore {
  /** What stands in the database, outside of a transaction. Each throws StoreFailed. */
  readonly rows: DatabaseRows;
  /** All or none; pages continue what is stored, rows replace what stands at their keys. Throws StoreFailed. */
  insertSettled(settled: Settling): void;
  /** As `transact`, in this turn, with these before whatever it writes: they become durable with it. */
  transactAfter<T>(settled: Settling, work: (tx: StoreTx) => Steps<T>): T;
}
