import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { KeyRefused } from "../../keys/key-error.ts";
import { generateKeyPair, type PrivateKey } from "../../keys/private-key.ts";
import type { PublicKey } from "../../keys/public-key.ts";
import { readPrivateKey } from "../../keys/read-private-key.ts";
import { readTrustedKeys } from "../../keys/read-trusted-keys.ts";
import { writeKeyPair, writePublicKey } from "../../keys/write-key-pair.ts";
import { StoreRefused } from "../../store/refused.ts";
import { logKey } from "./checkpoint.ts";
import { noteSigners } from "./note-signers.ts";
import { parseSignedNote } from "./signed-note.ts";

const listedKeys = async (path: string): Promise<readonly PublicKey[]> => {
  try {
    return await readTrustedKeys(`${path}.pub`);
  } catch (error) {
    if (error instanceof KeyRefused && error.code === "key_missing") return [];
    throw error;
  }
};

/**
 * The key is of those that the public file names, and one of those signed the chain's newest checkpoint. A checkpoint by
 * somebody else's key, put there from a backup of another machine, would stay in the chain, which nobody could find whole
 * again. Throws StoreRefused (`receipts_key_other`) and KeyRefused.
 *
 * @param newest the text of the newest checkpoint
 */
export const assertSignsOn = async (path: string, key: PrivateKey, chain: string, newest: string): Promise<void> => {
  const note = parseSignedNote(newest);
  // What is none is the signer's to name.
  if (note === null) return;
  const listed = await listedKeys(path);
  const known = listed.length === 0 ? [key.publicKey] : listed;
  const { signed } = noteSigners(
    note,
    known.map((one) => logKey(chain, one)),
  );
  if (signed.length > 0 && known.some(({ keyId }) => keyId === key.keyId)) return;
  throw new StoreRefused(
    "receipts_key_other",
    `${path} is not the key that signs this chain's checkpoints; restore it and ${basename(path)}.pub together`,
  );
};

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
  if (receiptsKeyExists(path)) {
    const key = await readPrivateKey(path);
    if (!hasCheckpoints) await finishPair(path, key);
    return key;
  }
  if (hasCheckpoints) throw receiptsKeyMissing(path);
  const key = generateKeyPair();
  await writeKeyPair(path, key);
  return key;
};

/**
 * Whoever made the pair may have been killed between its two files. Only while nothing is signed: later the public file may
 * have named keys before this one, and which, only a copy of it tells.
 */
const finishPair = async (path: string, key: PrivateKey): Promise<void> => {
  const publicPath = `${path}.pub`;
  if (lstatSync(publicPath, { throwIfNoEntry: false }) === undefined) await writePublicKey(publicPath, key);
};
