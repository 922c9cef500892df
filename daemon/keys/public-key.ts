import { createHash, createPublicKey, type KeyObject } from "node:crypto";

/** An Ed25519 public key: 32 raw bytes, and the name it has in manifests and receipts. */
export interface PublicKey {
  /** First 16 hex digits of SHA-256 over the raw key. */
  readonly keyId: string;
  readonly raw: Uint8Array;
  /** The same key for node:crypto, which verifies a hundred times faster than tweetnacl. */
  readonly object: KeyObject;
}

// RFC 8410: the fixed DER in front of a raw Ed25519 public key.
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");

export const keyId = (rawPublicKey: Uint8Array): string =>
  createHash("sha256").update(rawPublicKey).digest("hex").slice(0, 16);

export const publicKeyFromRaw = (raw: Uint8Array): PublicKey => {
  if (raw.length !== 32) throw new RangeError("an Ed25519 public key has 32 bytes");
  const object = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: "der", type: "spki" });
  return Object.freeze({ keyId: keyId(raw), raw, object });
};

/** The raw bytes of a node key (of a private one its seed), or null where it is not Ed25519. */
export const rawOf = (key: KeyObject): Uint8Array | null => {
  if (key.asymmetricKeyType !== "ed25519") return null;
  const jwk = key.export({ format: "jwk" });
  const text = key.type === "private" ? jwk.d : jwk.x;
  return text === undefined ? null : new Uint8Array(Buffer.from(text, "base64url"));
};
