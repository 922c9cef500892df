import { commitmentIn } from "./commitments.ts";
import { type Committed, commitmentTo } from "./hash.ts";
import type { DecisionReceipt } from "./parse-receipt.ts";

/** Do this value (RFC 8785 text) and this salt (32 hex digits) open the receipt's commitment? Nothing else is needed. */
export const openCommitment = (receipt: DecisionReceipt, what: Committed, salt: string, canonical: string): boolean => {
  const made = commitmentIn(receipt, what);
  return made !== null && /^[0-9a-f]{32}$/.test(salt) && commitmentTo(made.by, salt, canonical) === made.commitment;
};
