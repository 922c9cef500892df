import { lstatSync } from "node:fs";
import { generateKeyPair, type PrivateKey } from "../../keys/private-key.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import { StoreRefused } from "../../store/refused.ts";

/** Is anything at all there? What it is, `readPrivateKey` judges. */
export const receiptsKeyExists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

export const receiptsKeyMissing = (path: string): StoreRefused =>
  new StoreRefused(
    "receipts_key_missing",
    `${path} is missing and the chain has checkpoints; restore it, or hand its role over to a new key`,
  );

/**
 * The key that signs a chain's checkpoints, made for a chain that has none yet: there is nothing to configure. It is not
 * sealed, because the daemon signs without anybody there to ask. Throws KeyRefused, and StoreRefused
 * (`receipts_key_missing`) where the key of a chain with checkpoints is gone: another one would start in silence what
 * a verifier takes for another log.
 */
export const receiptsKey = async (path: string, hasCheckpoints: boolean): Promise<PrivateKey> => {
  if (receiptsKeyExists(path)) return readPrivateKey(path);
  if (hasCheckpoints) throw receiptsKeyMissing(path);
  const key = generateKeyPair();
  await writeKeyPair(path, key);
  return key;
};
