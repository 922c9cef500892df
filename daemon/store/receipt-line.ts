import type { ReceiptRow } from "./store.ts";

/**
 * One receipt as a line, in the journal and in the database's pages: `<seq> <characters> <hash> <salts> <receipt>`. The
 * receipt is canonical JSON, which has no line feed; its length tells a whole line from one that a crash tore, or that a
 * reader caught half written. `<salts>` is the salt of what was put, `-` where there is none, and where there is one of what
 * became of it, `+` and that.
 */
export const receiptLine = ({ seq, receipt, hash, salt, final_salt }: ReceiptRow): string =>
  `${seq} ${receipt.length} ${hash} ${salt ?? "-"}${final_salt === null ? "" : `+${final_salt}`} ${receipt}\n`;

const head = /^([1-9][0-9]{0,15}) ([1-9][0-9]{0,8}) ([0-9a-f]{64}) (-|[0-9a-f]{32})(?:\+([0-9a-f]{32}))? /;

/** @param line without its line feed; null where it is not a whole line. */
export const parseReceiptLine = (line: string): ReceiptRow | null => {
  const found = head.exec(line);
  if (found === null) return null;
  const [start, seq, characters, hash, salt, final_salt = null] = found;
  const receipt = line.slice(start.length);
  if (receipt.length !== Number(characters)) return null;
  return { seq: Number(seq), receipt, hash: hash as string, salt: salt === "-" ? null : (salt as string), final_salt };
};
