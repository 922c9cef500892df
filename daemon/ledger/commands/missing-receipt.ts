import type { ReceiptReader } from "../../store/receipt-reader.ts";

/** Why a receipt is not there, in one line. Throws StoreFailed. */
export const whyMissing = async (reader: ReceiptReader, seq: number): Promise<string> => {
  const mark = await reader.mark();
  return mark !== null && seq > 0 && seq <= mark.through
    ? `receipt ${seq} was pruned; the oldest is ${mark.through + 1}`
    : `there is no receipt ${seq}; the newest is ${await reader.newestSeq()}`;
};
