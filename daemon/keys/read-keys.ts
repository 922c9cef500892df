import { createPrivateKey, createPublicKey } from "node:crypto";
import { KeyRefused } from "./key-error.ts";
import { readKeyFile } from "./key-file.ts";
import { type PrivateKey, type PublicKey, privateKeyFromSeed, publicKeyFromRaw, rawOf } from "./key-pair.ts";

/** Keys one trust file may hold: enough for a rotation in every team, few enough to try. */
export const maxTrustedKeys = 64;

/** Reads a PKCS8 PEM file with mode 0600. Throws `KeyRefused`. */
export const readPrivateKey = async (path: string): Promise<PrivateKey> => {
  const text = await readKeyFile(path, "private");
  const blocks = pemBlocks(text, "PRIVATE KEY");
  const seed = blocks?.length === 1 ? parse(() => rawOf(createPrivateKey(blocks[0]!))) : null;
  if (seed === null)
    throw new KeyRefused(
      "key_malformed",
      `private key ${path} is not one Ed25519 key in PKCS8 PEM; make one with keygen`,
    );
  return privateKeyFromSeed(seed);
};

/** Reads an SPKI PEM file with one or more public keys. Throws `KeyRefused`. */
export const readTrustedKeys = async (path: string): Promise<readonly PublicKey[]> =>
  parseTrustedKeys(await readKeyFile(path, "public"), path);

/** The same, of text that was read elsewhere; `path` is only named in the refusal. */
export const parseTrustedKeys = (text: string, path: string): readonly PublicKey[] => {
  const blocks = pemBlocks(text, "PUBLIC KEY");
  const keys = blocks?.map((block) => parse(() => rawOf(createPublicKey(block))));
  if (keys === undefined || keys.length === 0 || keys.length > maxTrustedKeys || keys.includes(null))
    throw new KeyRefused(
      "key_malformed",
      `trusted keys ${path} must hold 1 to ${maxTrustedKeys} Ed25519 public keys in SPKI PEM`,
    );
  return Object.freeze(keys.map((raw) => publicKeyFromRaw(raw!)));
};

/** Splits PEM text into its blocks, line by line; null where a line is neither of a block nor empty nor a `#` comment. */
const pemBlocks = (text: string, label: string): string[] | null => {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (open === null) {
      if (line === `-----BEGIN ${label}-----`) open = [line];
      else if (line.trim() !== "" && !line.startsWith("#")) return null;
    } else {
      open.push(line);
      if (line === `-----END ${label}-----`) {
        blocks.push(open.join("\n"));
        open = null;
      }
    }
  }
  return open === null ? blocks : null;
};

const parse = (read: () => Uint8Array | null): Uint8Array | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
