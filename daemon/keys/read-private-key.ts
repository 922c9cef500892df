import { createPrivateKey } from "node:crypto";
import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";
import { noPassphrase, type PassphraseSource } from "./passphrase.ts";
import { orNull, pemBlocks } from "./pem.ts";
import { type PrivateKey, privateKeyFromSeed } from "./private-key.ts";
import { rawOf } from "./public-key.ts";
import { isSealedText, openSealedKey, parseSealedKey } from "./sealed-key.ts";

/** Reads a private key file with mode 0600: PKCS8 PEM, or a sealed key with the passphrase that is asked for. Throws `KeyRefused`. */
export const readPrivateKey = async (
  path: string,
  passphrase: PassphraseSource = noPassphrase,
): Promise<PrivateKey> => {
  const text = await readKeyFile(path, "private");
  return isSealedText(text) ? opened(path, text, passphrase) : plain(path, text);
};

const plain = (path: string, text: string): PrivateKey => {
  const blocks = pemBlocks(text, "PRIVATE KEY");
  const seed = blocks?.length === 1 ? orNull(() => rawOf(createPrivateKey(blocks[0]!))) : null;
  if (seed === null)
    throw new KeyRefused(
      "key_malformed",
      `private key ${path} is not one Ed25519 key in PKCS8 PEM; make one with keygen`,
    );
  return privateKeyFromSeed(seed);
};

const opened = async (path: string, text: string, passphrase: PassphraseSource): Promise<PrivateKey> => {
  const sealed = parseSealedKey(text);
  if (sealed === null)
    throw new KeyRefused("key_malformed", `private key ${path} is sealed in a form that this release does not open`);
  const key = await openSealedKey(sealed, await passphrase(`passphrase of ${path}: `));
  if (key === null) throw new KeyRefused("passphrase_wrong", `private key ${path} does not open with this passphrase`);
  return key;
};
