import { createPublicKey } from "node:crypto";
import { isWeakKey } from "../../wire/weak-keys.ts";
import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";
import { orNull, pemBlocks } from "./pem.ts";
import { type PublicKey, publicKeyFromRaw, rawOf } from "./public-key.ts";

/** Keys one trust file may hold: enough for a rotation in every team, few enough to try. */
export const maxTrustedKeys = 64;

/** Reads an SPKI PEM file with one or more public keys. Throws `KeyRefused`. */
export const readTrustedKeys = async (path: string): Promise<readonly PublicKey[]> =>
  parseTrustedKeys(await readKeyFile(path, "public"), path);

/** The same, of text that was read elsewhere; `path` is only named in the refusal. */
export const parseTrustedKeys = (text: string, path: string): readonly PublicKey[] => {
  const blocks = pemBlocks(text, "PUBLIC KEY");
  const keys = blocks?.map((block) => orNull(() => rawOf(createPublicKey(block))));
  if (keys === undefined || keys.length === 0 || keys.length > maxTrustedKeys || keys.includes(null))
    throw new KeyRefused(
      "key_malformed",
      `trusted keys ${path} must hold 1 to ${maxTrustedKeys} Ed25519 public keys in SPKI PEM`,
    );
  if (keys.some((raw) => isWeakKey(raw!)))
    throw new KeyRefused(
      "key_malformed",
      `trusted keys ${path} hold a key that anybody can sign for; make one with keygen`,
    );
  return Object.freeze(keys.map((raw) => publicKeyFromRaw(raw!)));
};
