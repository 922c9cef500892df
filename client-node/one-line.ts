import { maxReasonBytes } from "../wire/limits.ts";

// Controls, line and paragraph separators, and the bidirectional controls that make a line read as another one.
const notInALine = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Any text as one line of at most 512 bytes of UTF-8, cut between characters. */
export const oneLine = (text: string): string => {
  const line = `${text}`.toWellFormed().slice(0, maxReasonBytes).toWellFormed().replace(notInALine, " ");
  const bytes = Buffer.from(line);
  if (bytes.length <= maxReasonBytes) return line;
  let end = maxReasonBytes - 3;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return `${bytes.toString("utf8", 0, end)}...`;
};
