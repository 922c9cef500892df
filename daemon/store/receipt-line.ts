import type { ReceiptRow } from "./store.ts";

/**
 * One receipt as a line, in the journal and in the database's pages: `<seq> <characters> <hash> <salt> <receipt>`. The
 * receipt is canonical JSON, which has no line feed; its length tells a whole line from one that a crash tore, or that a
 * reader caught half written.
 */
export const receiptLine = ({ seq, receipt, hash, salt }: ReceiptRow): string =>
  `${seq} ${receipt.length} ${hash} ${salt ?? "-"} ${receipt}\n`;

const head = /^([1-9][0-9]{0,15}) ([1-9][0-9]{0,8}) ([0-9a-f]{64}) (-|[0-9a-f]{32}) /;

/** @param line without its line feed; null where it is not a whole line. */
export const parseReceiptLine = (line: string): ReceiptRow | null => {
  const found = head.exec(line);
  if (found === null) return null;
  const [start, seq, characters, hash, salt] = found;
  const receipt = line.slice(start.length);
  if (receipt.length !== Number(characters)) return null;
  return { seq: Number(seq), receipt, hash: hash as string, salt: salt === "-" ? null : (salt as string) };
};
