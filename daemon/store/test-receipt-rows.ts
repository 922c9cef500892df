import { createHash } from "node:crypto";
import type { NewReceipt } from "./store.ts";

/** A name as the wire allows one: with a NUL, an escape's own characters, quotes and what lies beyond 16 bits. */
export const strangeName = "a\u0000b\u001a0\u001a1'\"\\\n\u{1f600}";

export const receiptRow = (seq: number, over: Partial<NewReceipt> = {}): NewReceipt => {
  const receipt = JSON.stringify({ seq, action: strangeName });
  const hash = createHash("sha256").update(receipt).digest("hex");
  return { seq, receipt, hash, salt: seq.toString(16).padStart(32, "0"), final_salt: null, kept: null, ...over };
};

export const receiptRows = (from: number, to: number): readonly NewReceipt[] =>
  Array.from({ length: to - from + 1 }, (_row, at) => receiptRow(from + at));
