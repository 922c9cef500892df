import { parseReceipt } from "../parse-receipt.ts";

/** Controls and direction marks, which JSON leaves as they are, could make a terminal show another line than is there. */
const unprintable = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of a receipt for a terminal: names come from clients and are quoted when they are not plain. */
export const printable = (text: string | null): string => {
  if (text === null) return "-";
  if (/^[!-~]+$/.test(text) && text !== "-" && !text.startsWith('"')) return text;
  return JSON.stringify(text).replace(unprintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
};

const timeOf = (time_ms: number): string =>
  Math.abs(time_ms) <= 8.64e15 ? new Date(time_ms).toISOString() : String(time_ms);

/** One receipt on one line: place, time, verdict or control event, what it was about, why. */
export const receiptSummary = (seq: number, receiptText: string): string => {
  const receipt = parseReceipt(receiptText);
  if (receipt === null) return `${seq} malformed`;
  const when = `${seq} ${timeOf(receipt.time_ms)}`;
  if (receipt.kind === "control") return `${when} CONTROL ${receipt.event} ${printable(receipt.detail)}`;
  const who =
    receipt.principal_source === "claimed" ? `${printable(receipt.principal)}?` : printable(receipt.principal);
  const what = `${receipt.verdict} ${printable(receipt.action)} ${receipt.phase} by ${who}`;
  return `${when} ${what} ${receipt.code} ${printable(receipt.policy_id)} ${printable(receipt.reason)}`;
};
