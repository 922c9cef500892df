import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { type PublicKey, publicKeyFromRaw } from "./public-key.ts";

/** An Ed25519 private key as RFC 8032 has it: a seed of 32 bytes. */
export interface PrivateKey {
  readonly keyId: string;
  readonly seed: Uint8Array;
  readonly publicKey: PublicKey;
  readonly object: KeyObject;
}

// RFC 8410: the fixed DER in front of a raw Ed25519 seed.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export const privateKeyFromSeed = (seed: Uint8Array): PrivateKey => {
  if (seed.length !== 32) throw new RangeError("an Ed25519 seed has 32 bytes");
  const object = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
  const publicKey = publicKeyFromRaw(rawPublicKey(object));
  return Object.freeze({ keyId: publicKey.keyId, seed, publicKey, object });
};

// RFC 8410: what stands in front of the 32 raw bytes of a public key in DER.
const spkiPrefixBytes = 12;

const rawPublicKey = (object: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(object).export({ format: "der", type: "spki" }).subarray(spkiPrefixBytes));

export const generateKeyPair = (): PrivateKey => privateKeyFromSeed(new Uint8Array(randomBytes(32)));
