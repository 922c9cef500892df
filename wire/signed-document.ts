import { Buffer } from "node:buffer";
import { admit } from "./admission.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { canonicalJson } from "./canonical.ts";
import { WireError } from "./errors.ts";
import { isObject, own } from "./fields.ts";
import type { JsonValue } from "./value.ts";

/**
 * A document that somebody signed, to be read by daemons and by clients in any language: one JSON object of exactly three keys,
 *
 *     {"document":"fallback","payload":"{...}","signatures":[{"key_id":"<16 hex>","signature":"<base64>"}]}
 *
 * `payload` is text, and what is signed (Ed25519) is `interlock <document> v1`, a line feed, and that text's UTF-8: no reader writes
 * anything anew before it verifies. The kind stands in the signed bytes, so a document of one kind is none of another.
 * Nothing in a payload means anything before a signature holds.
 */
export interface SignedDocument {
  readonly document: DocumentKind;
  readonly payload: string;
  /** At least one, of different keys. */
  readonly signatures: readonly DocumentSignature[];
}

export interface DocumentSignature {
  /** First 16 hex digits of SHA-256 over the raw public key: it picks the key and proves nothing. */
  readonly key_id: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

export const documentKinds = Object.freeze(["fallback", "handover", "revocation", "scopes"] as const);
export type DocumentKind = (typeof documentKinds)[number];

/** Both are far above what a document holds. */
export const maxDocumentBytes = 1024 * 1024;
export const maxDocumentSignatures = 16;

/** The bytes that are signed. */
export const documentBytes = (document: DocumentKind, payload: string): Uint8Array =>
  Buffer.from(`interlock ${document} v1\n${payload}`, "utf8");

/** Parses a file's bytes as a document of this kind, strictly. Throws `WireError` (`bad_request`); the message is one line and quotes nothing. */
export const parseSignedDocument = (bytes: Uint8Array, kind: DocumentKind): SignedDocument => {
  if (bytes.length > maxDocumentBytes) return refuse(`it is larger than ${maxDocumentBytes} bytes`);
  const json = admitted(bytes);
  if (!isObject(json) || !hasExactly(json, ["document", "payload", "signatures"])) {
    return refuse("it is not an object of document, payload and signatures");
  }
  const { payload, signatures } = json;
  if (json.document !== kind) return refuse(`it is not a document of the kind ${kind}`);
  if (typeof payload !== "string") return refuse("its payload is not text");
  if (!Array.isArray(signatures) || signatures.length === 0 || signatures.length > maxDocumentSignatures) {
    return refuse(`it must have 1 to ${maxDocumentSignatures} signatures`);
  }
  const parsed = (signatures as readonly JsonValue[]).map(parseSignature);
  if (new Set(parsed.map(({ key_id }) => key_id)).size !== parsed.length) {
    return refuse("it has two signatures of one key");
  }
  return Object.freeze({ document: kind, payload, signatures: Object.freeze(parsed) });
};

/** The file's text, one line. */
export const signedDocumentText = ({ document, payload, signatures }: SignedDocument): string => {
  const written = signatures.map(({ key_id, signature }) => ({ key_id, signature: encodeBase64(signature) }));
  return `${canonicalJson({ document, payload, signatures: written })}\n`;
};

const admitted = (bytes: Uint8Array): JsonValue => {
  try {
    return admit(bytes);
  } catch {
    return refuse("it is not strict JSON");
  }
};

const parseSignature = (json: JsonValue): DocumentSignature => {
  if (!isObject(json) || !hasExactly(json, ["key_id", "signature"])) {
    return refuse("a signature is not an object of key_id and signature");
  }
  const { key_id, signature } = json;
  if (typeof key_id !== "string" || !/^[0-9a-f]{16}$/.test(key_id)) return refuse("a key_id is not 16 hex digits");
  const raw = typeof signature === "string" && signature.length === 88 ? decodeBase64(signature) : null;
  if (raw?.length !== 64) return refuse("a signature is not 64 bytes of base64");
  return Object.freeze({ key_id, signature: raw });
};

const hasExactly = (json: { readonly [key: string]: JsonValue }, keys: readonly string[]): boolean =>
  Object.keys(json).length === keys.length && keys.every((key) => own(json, key) !== undefined);

const refuse = (what: string): never => {
  throw new WireError("bad_request", `signed document refused: ${what}`);
};
