import { maxReasonBytes } from "../../wire/limits.ts";
import type { WireValue } from "../../wire/value.ts";

/**
 * A reason reaches agents, terminals and receipts: it becomes one line of at most 512 bytes, and one that quotes an
 * argument is withheld. A rule's author means well; an argument may still be a secret.
 */
export const withheld = "reason withheld: it quotes an argument's value";

/** Shorter values match by chance; values of letters and spaces alone are words that a reason may use. */
const minQuotedLength = 6;
const hasMark = /[^\p{L}\s]/u;

export const reasonLine = (reason: string, args: WireValue): string => {
  if (reason === "") return reason;
  return quotes(reason, args) ? withheld : oneLine(reason);
};

/** An attribution is an argument's name or path; one that quotes a value is dropped. */
export const attributionOf = (attributedTo: string | null, args: WireValue): string | null =>
  attributedTo === null || quotes(attributedTo, args) ? null : oneLine(attributedTo);

// Controls, line and paragraph separators, and the bidirectional controls that make a line read as another one.
const notInALine = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

const oneLine = (text: string): string => {
  const line = text.toWellFormed().slice(0, maxReasonBytes).toWellFormed().replace(notInALine, " ");
  if (Buffer.byteLength(line) <= maxReasonBytes) return line;
  let end = maxReasonBytes - 3;
  const bytes = Buffer.from(line);
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return `${bytes.toString("utf8", 0, end)}...`;
};

const quotes = (text: string, value: WireValue): boolean => {
  if (typeof value === "string") {
    return (
      value.length >= minQuotedLength && value.length <= text.length && hasMark.test(value) && text.includes(value)
    );
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  if (Array.isArray(value)) return value.some((item: WireValue) => quotes(text, item));
  for (const item of Object.values(value)) if (quotes(text, item)) return true;
  return false;
};
