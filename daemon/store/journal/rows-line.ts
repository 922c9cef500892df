import { crc32 } from "node:zlib";
import { type BoxRow, type ChangedRows, spendingKey } from "../changed-rows.ts";
import type { ClaimRow, SpendingRow, TransactionRow } from "../transaction-rows.ts";

/** Rows that stand once the receipts `first` to `last`, which follow the line, do. */
export interface RowsLine {
  readonly first: number;
  readonly last: number;
  readonly rows: ChangedRows;
}

/**
 * Changed rows as a line of the journal, before the receipts that they are written with: `rows <first> <last> <characters>
 * <CRC-32> <JSON>`. A crash that tears the append leaves fewer receipts than the line names, and then its rows are none.
 */
export const rowsLine = ({ first, last, rows }: RowsLine): string => {
  const boxes = Array.from(rows.boxes, ([place, { expires_ms, box }]) => [
    place,
    expires_ms,
    Buffer.from(box.buffer, box.byteOffset, box.length).toString("base64"),
  ]);
  const spending = [...rows.spending.values()];
  const text = JSON.stringify([[...rows.claims], [...rows.transactions.values()], boxes, spending]);
  return `rows ${first} ${last} ${text.length} ${checksum(first, last, text)} ${text}\n`;
};

/** Tells a torn or damaged line; a forged one needs the directory, and the receipts beside it are what is verified. */
const checksum = (first: number | string, last: number | string, text: string): string =>
  crc32(`${first} ${last} ${text}`).toString(16).padStart(8, "0");

const head = /^rows ([1-9][0-9]{0,15}) ([1-9][0-9]{0,15}) ([1-9][0-9]{0,8}) ([0-9a-f]{8}) /;

export const isRowsLine = (line: string): boolean => line.startsWith("rows ");

/** @param line without its line feed; null where it is not a whole line of ours. */
export const parseRowsLine = (line: string): RowsLine | null => {
  const found = head.exec(line);
  if (found === null) return null;
  const [start, first, last, characters, hash] = found;
  const text = line.slice(start.length);
  // Our own text, whole: what it holds has the form that was written.
  if (text.length !== Number(characters) || checksum(first as string, last as string, text) !== hash) return null;
  // A line of an earlier release has no spending.
  const [claims, transactions, boxes, spending = []] = JSON.parse(text) as [
    [string, ClaimRow | null][],
    TransactionRow[],
    [string, number, string][],
    SpendingRow[]?,
  ];
  return {
    first: Number(first),
    last: Number(last),
    rows: {
      claims: new Map(claims),
      transactions: new Map(transactions.map((row) => [row.transaction_id, row])),
      spending: new Map(spending.map((row) => [spendingKey(row), row])),
      boxes: new Map(
        boxes.map(([place, expires_ms, box]): [string, BoxRow] => [
          place,
          { expires_ms, box: Buffer.from(box, "base64") },
        ]),
      ),
    },
  };
};
