import type { Head } from "../store/store.ts";
import type { StoredReceipt } from "./verify.ts";

/**
 * An export is lines of JSON: a header, one line a receipt, signed checkpoints between them, an end. A verifier in any
 * language needs a JSON parser and SHA-256: a receipt's hashed bytes are the line's own, from byte 85 (counted from 0) to
 * the last but one.
 */
export interface ExportHeader {
  /** 1 has neither a tree nor checkpoints. */
  readonly v: 1 | 2;
  readonly chain: string;
  /** The head before the first receipt of the export: seq 0 and 64 zeros for a whole chain. */
  readonly after: Head;
  /**
   * Hashes of the subtrees that the leaves before the first receipt make, the largest first: [] for a whole chain; null in
   * an export of version 1, which has no tree.
   */
  readonly frontier: readonly string[] | null;
  /** The exporter's word on which keys sign. Empty in version 1. */
  readonly keys: readonly string[];
}

/** Keys that a header names: one for each rotation. */
export const maxExportKeys = 64;

const headText = (head: Head): string => `{"hash":"${head.hash}","seq":${head.seq}}`;
const list = (texts: readonly string[]): string => `[${texts.map((text) => `"${text}"`).join(",")}]`;

/** Version 2. */
export const headerLine = ({ chain, after, frontier, keys }: Omit<ExportHeader, "v">): string =>
  `{"after":{"frontier":${list(frontier ?? [])},"hash":"${after.hash}","seq":${after.seq}},"chain":"${chain}"` +
  `,"keys":${list(keys)},"kind":"interlock-receipts","v":2}`;

/** Fixed text around the two values, so that the receipt's bytes can be cut out and need not be written again. */
export const receiptLine = ({ hash, receipt }: Pick<StoredReceipt, "hash" | "receipt">): string =>
  `{"hash":"${hash}","receipt":${receipt}}`;

export const checkpointLine = (note: string): string => `{"checkpoint":${JSON.stringify(note)}}`;

export const endLine = (head: Head): string => `{"end":${headText(head)}}`;

const hash = '"hash":"(?<hash>[0-9a-f]{64})"';
const seq = '"seq":(?<seq>0|[1-9][0-9]{0,15})';
const chain = '"chain":"(?<chain>[0-9a-f]{32})"';
const firstHeader = new RegExp(`^\\{"after":\\{${hash},${seq}\\},${chain},"kind":"interlock-receipts","v":1\\}$`);
const frontier = '"frontier":\\[(?<frontier>(?:"[0-9a-f]{64}"(?:,"[0-9a-f]{64}"){0,63})?)\\]';
// Printable ASCII without a quote or a backslash, so that the text of a key is its JSON.
const key = '"[ !#-\\[\\]-~]{1,512}"';
const keys = `"keys":\\[(?<keys>(?:${key}(?:,${key}){0,${maxExportKeys - 1}})?)\\]`;
const secondHeader = new RegExp(
  `^\\{"after":\\{${frontier},${hash},${seq}\\},${chain},${keys},"kind":"interlock-receipts","v":2\\}$`,
);
const endPattern = new RegExp(`^\\{"end":\\{${hash},${seq}\\}\\}$`);
const receiptPattern = /^\{"hash":"[0-9a-f]{64}","receipt":\{/;
const hashAt = '{"hash":"'.length;
const receiptAt = hashAt + 64 + '","receipt":'.length;

/** Null for a number that is another one to a reader with exact integers. */
const readHead = (groups: Record<string, string | undefined>): Head | null => {
  const seq = Number(groups.seq);
  return Number.isSafeInteger(seq) ? { seq, hash: groups.hash ?? "" } : null;
};

const readList = (text: string | undefined): readonly string[] => Object.freeze(JSON.parse(`[${text ?? ""}]`));

/** Of either version; null where the line is no header. */
export const readHeader = (line: string): ExportHeader | null => {
  const second = secondHeader.exec(line)?.groups;
  const groups = second ?? firstHeader.exec(line)?.groups;
  if (groups === undefined) return null;
  const after = readHead(groups);
  if (after === null) return null;
  const read = second === undefined ? null : readList(second.frontier);
  // A tree of no leaves has no subtrees, whichever version says nothing of it.
  const frontier = read ?? (after.seq === 0 ? Object.freeze([]) : null);
  const v = second === undefined ? 1 : 2;
  return Object.freeze({ v, chain: groups.chain ?? "", after, frontier, keys: readList(second?.keys) });
};

export const readEnd = (line: string): Head | null => {
  const groups = endPattern.exec(line)?.groups;
  return groups === undefined ? null : readHead(groups);
};

export const readReceiptLine = (line: string): Pick<StoredReceipt, "hash" | "receipt"> | null =>
  receiptPattern.test(line) && line.endsWith("}")
    ? { hash: line.slice(hashAt, hashAt + 64), receipt: line.slice(receiptAt, -1) }
    : null;

export const isCheckpointLine = (line: string): boolean => line.startsWith('{"checkpoint":"');

/** The note of a checkpoint's line; null where the line is not exactly as it is written here. */
export const readCheckpointLine = (line: string): string | null => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const note = (value as { readonly checkpoint?: unknown } | null)?.checkpoint;
  return typeof note === "string" && checkpointLine(note) === line ? note : null;
};
