import type { Head } from "../store/store.ts";
import type { StoredReceipt } from "./verify.ts";

/**
 * An export is lines of JSON: a header, one line a receipt, an end. A verifier in any language needs a JSON parser and
 * SHA-256: a receipt's hashed bytes are the line's own, from byte 85 (counted from 0) to the last but one.
 */
export interface ExportHeader {
  readonly chain: string;
  /** The head before the first receipt of the export: seq 0 and 64 zeros for a whole chain. */
  readonly after: Head;
}

const headText = (head: Head): string => `{"hash":"${head.hash}","seq":${head.seq}}`;

export const headerLine = ({ chain, after }: ExportHeader): string =>
  `{"after":${headText(after)},"chain":"${chain}","kind":"interlock-receipts","v":1}`;

/** Fixed text around the two values, so that the receipt's bytes can be cut out and need not be written again. */
export const receiptLine = ({ hash, receipt }: Pick<StoredReceipt, "hash" | "receipt">): string =>
  `{"hash":"${hash}","receipt":${receipt}}`;

export const endLine = (head: Head): string => `{"end":${headText(head)}}`;

const head = '\\{"hash":"(?<hash>[0-9a-f]{64})","seq":(?<seq>0|[1-9][0-9]{0,15})\\}';
const headerPattern = new RegExp(
  `^\\{"after":${head},"chain":"(?<chain>[0-9a-f]{32})","kind":"interlock-receipts","v":1\\}$`,
);
const endPattern = new RegExp(`^\\{"end":${head}\\}$`);
const receiptPattern = /^\{"hash":"[0-9a-f]{64}","receipt":\{/;
const hashAt = '{"hash":"'.length;
const receiptAt = hashAt + 64 + '","receipt":'.length;

const readHead = (groups: Record<string, string | undefined>): Head => ({
  seq: Number(groups.seq),
  hash: groups.hash ?? "",
});

export const readHeader = (line: string): ExportHeader | null => {
  const groups = headerPattern.exec(line)?.groups;
  return groups === undefined ? null : { chain: groups.chain ?? "", after: readHead(groups) };
};

export const readEnd = (line: string): Head | null => {
  const groups = endPattern.exec(line)?.groups;
  return groups === undefined ? null : readHead(groups);
};

export const readReceiptLine = (line: string): Pick<StoredReceipt, "hash" | "receipt"> | null =>
  receiptPattern.test(line) && line.endsWith("}")
    ? { hash: line.slice(hashAt, hashAt + 64), receipt: line.slice(receiptAt, -1) }
    : null;
