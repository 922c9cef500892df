import { hash } from "node:crypto";

/**
 * Every digest of the ledger is SHA-256 over one line that says what it is for, and then the text. So a receipt's hash
 * can never be taken for a commitment, nor either for a hash that another program makes.
 */
const receiptPrefix = "interlock receipt v1\n";
const commitmentPrefix = Object.freeze({
  arguments: "interlock args v1\n",
  response: "interlock response v1\n",
  final: "interlock final v1\n",
});

/** What a receipt commits to: what was put (the arguments of a call, or the response that came back), and what may run or be told instead. */
export type Committed = keyof typeof commitmentPrefix;
export const committed = Object.freeze(["arguments", "response", "final"] as const satisfies readonly Committed[]);

/** What the first receipt of a chain has in `prev`. */
export const zeroHash = "0".repeat(64);

/** 64 hex digits over the receipt's own bytes (UTF-8). */
export const receiptHash = (receipt: string): string => hash("sha256", receiptPrefix + receipt, "hex");

/** `salt` is 32 hex digits, `canonical` the JCS text of the value: digits, a line feed, the text. */
export const commitmentTo = (what: Committed, salt: string, canonical: string): string =>
  `sha256:${hash("sha256", `${commitmentPrefix[what]}${salt}\n${canonical}`, "hex")}`;
