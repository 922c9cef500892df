import type { Head } from "../../store/store.ts";
import type { ControlReceipt } from "../parse-receipt.ts";

/**
 * What the chain says of receipts that retention took: the last of them and its hash, before anything else that the detail
 * says. So a mark beside the chain is believed only where the chain itself, and whoever signed it, has it too.
 */
export const markDetail = (through: Head, by: string): string => `through ${through.seq}:${through.hash} by ${by}`;

export const isMarkOf = ({ event, detail }: ControlReceipt, after: Head): boolean =>
  event === "receipts_pruned" && detail.startsWith(markDetail(after, ""));
