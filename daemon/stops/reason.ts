/** Why something was stopped, or goes on: a person's words, one line, in the store and in receipts. */
export const maxStopReasonBytes = 256;

/** As it is kept: without what would break a line, and no longer than it may be. */
export const reasonIn = (text: string): string => {
  const line = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  if (Buffer.byteLength(line) <= maxStopReasonBytes) return line;
  let cut = line;
  while (Buffer.byteLength(cut) > maxStopReasonBytes) cut = cut.slice(0, -1);
  return cut.toWellFormed();
};
