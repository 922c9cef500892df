import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import nacl from "tweetnacl";

/** An Ed25519 public key: 32 raw bytes, and the name it has in manifests and receipts. */
export interface PublicKey {
  /** First 16 hex digits of SHA-256 over the raw key. */
  readonly keyId: string;
  readonly raw: Uint8Array;
  /** The same key for node:crypto, which verifies a hundred times faster. */
  readonly object: KeyObject;
}

/** An Ed25519 private key as RFC 8032 has it: a seed of 32 bytes. */
export interface PrivateKey {
  readonly keyId: string;
  readonly seed: Uint8Array;
  readonly publicKey: PublicKey;
  readonly object: KeyObject;
}

// RFC 8410: the fixed DER in front of a raw Ed25519 key.
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export const keyId = (rawPublicKey: Uint8Array): string =>
  createHash("sha256").update(rawPublicKey).digest("hex").slice(0, 16);

export const publicKeyFromRaw = (raw: Uint8Array): PublicKey => {
  if (raw.length !== 32) throw new RangeError("an Ed25519 public key has 32 bytes");
  const object = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: "der", type: "spki" });
  return Object.freeze({ keyId: keyId(raw), raw, object });
};

export const privateKeyFromSeed = (seed: Uint8Array): PrivateKey => {
  if (seed.length !== 32) throw new RangeError("an Ed25519 seed has 32 bytes");
  const object = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
  const publicKey = publicKeyFromRaw(nacl.sign.keyPair.fromSeed(seed).publicKey);
  return Object.freeze({ keyId: publicKey.keyId, seed, publicKey, object });
};

export const generateKeyPair = (): PrivateKey => privateKeyFromSeed(nacl.randomBytes(32));

/** The raw bytes of a node key, or null where it is not Ed25519. */
export const rawOf = (key: KeyObject): Uint8Array | null => {
  if (key.asymmetricKeyType !== "ed25519") return null;
  const jwk = key.export({ format: "jwk" });
  const text = key.type === "private" ? jwk.d : jwk.x;
  return text === undefined ? null : new Uint8Array(Buffer.from(text, "base64url"));
};
