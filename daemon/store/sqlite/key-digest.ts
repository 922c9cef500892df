import { createHash } from "node:crypto";

/** What the ledger remembers of its key. The prefix keeps this digest apart from any other use of the key. */
export const keyDigest = (key: Uint8Array): string =>
  createHash("sha256").update("interlock store key v1\n").update(key).digest("hex");
