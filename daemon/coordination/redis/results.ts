import { createHmac } from "node:crypto";
import { sealer } from "../../ledger/sealing.ts";

/** Results as they lie in Redis: sealed under a key that the daemons of one deployment share and Redis does not have. */
export interface SharedResults {
  seal(transaction_id: string, result: string): string;
  /** Null where it is not one that a daemon of this deployment sealed for this transaction. */
  open(transaction_id: string, sealed: string): string | null;
}

/** @param key the deployment's, 16 bytes at least. */
export const sharedResults = (key: Uint8Array): SharedResults => {
  const boxes = sealer(keyFor(key, "results"));
  const place = (transaction_id: string): string => `shared-result:${transaction_id}`;
  return {
    seal: (transaction_id, result) => Buffer.from(boxes.seal(place(transaction_id), result)).toString("base64"),
    open: (transaction_id, sealed) => boxes.open(place(transaction_id), Buffer.from(sealed, "base64")),
  };
};

/** What stands in Redis for the key: whoever has another one is told, and learns nothing of this one. */
export const deploymentDigest = (key: Uint8Array): string => Buffer.from(keyFor(key, "digest")).toString("hex");

const keyFor = (key: Uint8Array, purpose: string): Uint8Array =>
  Uint8Array.from(createHmac("sha256", key).update(`interlock coordination v1\n${purpose}`).digest());
