import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { type DocumentKind, documentBytes, signedDocumentText } from "../../wire/signed-document.ts";

/** A key pair for the corpus alone: its seed is a text that anybody can read, so it proves nothing anywhere else. */
export interface CorpusKey {
  readonly key_id: string;
  readonly pem: string;
  sign(bytes: Uint8Array): Uint8Array;
}

// RFC 8410: the fixed DER in front of a seed.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export const corpusKey = (name: string): CorpusKey => {
  const seed = createHash("sha256").update(`interlock conformance key ${name}`).digest();
  const secret: KeyObject = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const open = createPublicKey(secret);
  const raw = Buffer.from(open.export({ format: "jwk" }).x as string, "base64url");
  return Object.freeze({
    key_id: createHash("sha256").update(raw).digest("hex").slice(0, 16),
    pem: open.export({ format: "pem", type: "spki" }) as string,
    sign: (bytes: Uint8Array) => sign(null, bytes, secret),
  });
};

export const signed = (payload: string, keys: readonly CorpusKey[], kind: DocumentKind = "fallback"): string =>
  signedDocumentText({
    document: kind,
    payload,
    signatures: keys.map((key) => ({ key_id: key.key_id, signature: key.sign(documentBytes(kind, payload)) })),
  });
