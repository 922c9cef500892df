import { argsCommitment } from "./hash.ts";
import type { DecisionReceipt } from "./parse-receipt.ts";

/** Do these arguments (RFC 8785 text) and this salt (32 hex digits) open the receipt's commitment? Nothing else is needed. */
export const openCommitment = (receipt: DecisionReceipt, salt: string, argsCanonical: string): boolean =>
  /^[0-9a-f]{32}$/.test(salt) && argsCommitment(salt, argsCanonical) === receipt.args_commitment;
