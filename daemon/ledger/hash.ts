import { hash } from "node:crypto";

/**
 * Every digest of the ledger is SHA-256 over one line that says what it is for, and then the text. So a receipt's hash
 * can never be taken for a commitment, nor either for a hash that another program makes.
 */
const receiptPrefix = "interlock receipt v1\n";
const argumentsPrefix = "interlock args v1\n";

/** What the first receipt of a chain has in `prev`. */
export const zeroHash = "0".repeat(64);

/** 64 hex digits over the receipt's own bytes (UTF-8). */
export const receiptHash = (receipt: string): string => hash("sha256", receiptPrefix + receipt, "hex");

/** `salt` is 32 hex digits, `argsCanonical` the JCS text of the arguments: digits, a line feed, the text. */
export const argsCommitment = (salt: string, argsCanonical: string): string =>
  `sha256:${hash("sha256", `${argumentsPrefix}${salt}\n${argsCanonical}`, "hex")}`;
