import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { FallbackRefused } from "./refusal.ts";

/** Keys whose signatures a client believes, by id. Only public ones: a client signs nothing. */
export type TrustedKeys = ReadonlyMap<string, KeyObject>;

export const maxTrustedKeys = 64;

const begin = "-----BEGIN PUBLIC KEY-----";
const end = "-----END PUBLIC KEY-----";

/** @throws FallbackRefused anything but 1 to 64 Ed25519 public keys in SPKI PEM, `#` comments beside them */
export const parseTrustedKeys = (text: string, path: string): TrustedKeys => {
  const keys = blocksOf(text)?.map(keyOf);
  if (keys === undefined || keys.length === 0 || keys.length > maxTrustedKeys || keys.includes(null)) {
    throw new FallbackRefused(
      "fallback_key_unusable",
      `${path} must hold 1 to ${maxTrustedKeys} Ed25519 public keys in PEM`,
    );
  }
  return new Map((keys as KeyObject[]).map((key) => [keyId(key), key]));
};

/** Is this 64-byte signature one of this key, over these bytes? */
export const holds = (bytes: Uint8Array, signature: Uint8Array, key: KeyObject): boolean =>
  signature.length === 64 && verify(null, bytes, key, signature);

/** Line by line; null where a line is neither of a block nor empty nor a comment. */
const blocksOf = (text: string): string[] | null => {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split("\n").map((written) => written.trimEnd())) {
    if (open === null) {
      if (line === begin) open = [line];
      else if (line !== "" && !line.startsWith("#")) return null;
    } else {
      open.push(line);
      if (line !== end) continue;
      blocks.push(open.join("\n"));
      open = null;
    }
  }
  return open === null ? blocks : null;
};

/** Null for a key of another kind. A private key is none: its text has another label. */
const keyOf = (block: string): KeyObject | null => {
  try {
    const key = createPublicKey(block);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
};

/** First 16 hex digits of SHA-256 over the 32 raw bytes. */
const keyId = (key: KeyObject): string =>
  createHash("sha256")
    .update(Buffer.from(key.export({ format: "jwk" }).x as string, "base64url"))
    .digest("hex")
    .slice(0, 16);
