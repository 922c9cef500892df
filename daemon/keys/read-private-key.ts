import { createPrivateKey } from "node:crypto";
import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";
import { orNull, pemBlocks } from "./pem.ts";
import { type PrivateKey, privateKeyFromSeed } from "./private-key.ts";
import { rawOf } from "./public-key.ts";

/** Reads a PKCS8 PEM file with mode 0600. Throws `KeyRefused`. */
export const readPrivateKey = async (path: string): Promise<PrivateKey> => {
  const text = await readKeyFile(path, "private");
  const blocks = pemBlocks(text, "PRIVATE KEY");
  const seed = blocks?.length === 1 ? orNull(() => rawOf(createPrivateKey(blocks[0]!))) : null;
  if (seed === null)
    throw new KeyRefused(
      "key_malformed",
      `private key ${path} is not one Ed25519 key in PKCS8 PEM; make one with keygen`,
    );
  return privateKeyFromSeed(seed);
};
