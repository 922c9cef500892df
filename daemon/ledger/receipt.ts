import type { ControlRecord } from "./record.ts";

/** Where a receipt stands in its chain: its place, and the hash of the receipt before it. */
export interface Link {
  readonly seq: number;
  readonly prev: string;
}

/** This record has no JSON form, so no receipt. `message` names the field, never its value. */
export class NotRecordable extends Error {
  override readonly name = "NotRecordable";
}

const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
};

/** JSON.stringify quotes as JCS does, but for a lone surrogate, which JCS refuses. Most text needs neither. */
export const quoted = (text: string, field: string): string => {
  if (isPlain(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new NotRecordable(`${field} is not well-formed Unicode`);
  return JSON.stringify(text);
};

export const quotedOrNull = (text: string | null, field: string): string =>
  text === null ? "null" : quoted(text, field);

export const checkedInteger = (value: number, field: string): number => {
  if (!Number.isSafeInteger(value)) throw new NotRecordable(`${field} is not an integer`);
  return value;
};

/** The receipt of what the daemon did to itself, as RFC 8785 text. */
export const controlReceipt = (record: ControlRecord, chain: string, link: Link): string =>
  `{"chain":"${chain}","detail":${quoted(record.detail, "detail")},"event":"${record.event}","kind":"control"` +
  `,"prev":"${link.prev}","rules":${quotedOrNull(record.rules, "rules")}` +
  `,"rules_before":${quotedOrNull(record.rules_before, "rules_before")},"seq":${link.seq}` +
  `,"time_ms":${checkedInteger(record.time_ms, "time_ms")},"v":1}`;
