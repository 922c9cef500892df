import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { WireError } from "../wire/errors.ts";
import {
  type DocumentKind,
  documentBytes,
  maxDocumentBytes,
  parseSignedDocument,
  type SignedDocument,
} from "../wire/signed-document.ts";
import { isWeakKey } from "../wire/weak-keys.ts";
import { maxKeyFileBytes } from "./limits.ts";
import { oneLine } from "./one-line.ts";
import { FileUnread, readRegularFile } from "./regular-file.ts";

/** Why a signed file was refused. docs/errors.md lists them. */
export const signedFileRefusals = Object.freeze({
  unreadable: "the file cannot be read, or is not a regular file",
  malformed: "it is not a signed document of the kind that is read here, or is too large",
  key_malformed: "the key file does not hold Ed25519 public keys in PEM and nothing else",
  unknown_key: "none of the given keys is one that it is signed by",
  bad_signature: "its signature does not hold: it was altered",
  expired: "its not-after has passed",
} satisfies Record<string, string>);

export type SignedFileRefusal = keyof typeof signedFileRefusals;

/** One line: which file, what is wrong with it, what to do. */
export class SignedFileRefused extends Error {
  override readonly name = "SignedFileRefused";
  readonly code: SignedFileRefusal;

  constructor(code: SignedFileRefusal, message: string) {
    super(oneLine(message));
    this.code = code;
  }
}

const maxKeys = 64;

/**
 * The payload of a signed document, once one of the public keys in the key file has been seen to have signed it. Each file is
 * read once: what was verified is what is used.
 *
 * @throws SignedFileRefused
 */
export const readSignedFile = (file: string, keyFile: string, kind: DocumentKind): string =>
  payloadSignedBy(readPublicKeys(keyFile), bytesOf(file, maxDocumentBytes, "malformed"), kind, file);

/** By id. Public keys alone: a client signs nothing. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** @throws SignedFileRefused */
export const readPublicKeys = (file: string): PublicKeys =>
  publicKeysOf(bytesOf(file, maxKeyFileBytes, "key_malformed"), file);

/** The same of a document's bytes that were read elsewhere; `file` is only named. @throws SignedFileRefused */
export const payloadSignedBy = (keys: PublicKeys, bytes: Uint8Array, kind: DocumentKind, file: string): string => {
  const document = documentOf(bytes, kind, file);
  const signedBy = document.signatures.flatMap(({ key_id, signature }) => {
    const key = keys.get(key_id);
    return key === undefined ? [] : [{ key, signature }];
  });
  if (signedBy.length === 0) {
    throw new SignedFileRefused("unknown_key", `${file} is signed by no key that is trusted here`);
  }
  const signed = documentBytes(kind, document.payload);
  // One that does not hold is a sign of tampering, also where another does.
  if (!signedBy.every(({ key, signature }) => verify(null, signed, key, signature))) {
    throw new SignedFileRefused("bad_signature", `${file} was altered: its signature does not hold`);
  }
  return document.payload;
};

const documentOf = (bytes: Uint8Array, kind: DocumentKind, file: string): SignedDocument => {
  try {
    return parseSignedDocument(bytes, kind);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new SignedFileRefused("malformed", `${file}: ${error.message}`);
  }
};

/** Of a key file's bytes; `file` is only named. @throws SignedFileRefused */
export const publicKeysOf = (bytes: Uint8Array, file: string): PublicKeys => {
  const refuse = (): never => {
    throw new SignedFileRefused(
      "key_malformed",
      `${file} must hold 1 to ${maxKeys} Ed25519 public keys in PEM, and nothing else; a client holds no private key`,
    );
  };
  const blocks = publicKeyBlocks(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  if (blocks === null || blocks.length === 0 || blocks.length > maxKeys) return refuse();
  const keys = new Map<string, KeyObject>();
  for (const block of blocks) {
    const key = keyOf(block);
    if (key === null) return refuse();
    keys.set(key.id, key.object);
  }
  return keys;
};

/** Line by line, alike in every client; null where a line is neither of a public key nor empty nor a `#` comment. */
const publicKeyBlocks = (text: string): readonly string[] | null => {
  const blocks: string[] = [];
  let block: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (block !== null) {
      block.push(line);
      if (/^[A-Za-z0-9+/=]*$/.test(line)) continue;
      if (line !== "-----END PUBLIC KEY-----") return null;
      blocks.push(block.join("\n"));
      block = null;
    } else if (line === "-----BEGIN PUBLIC KEY-----") block = [line];
    else if (!/^[ \t]*$/.test(line) && !line.startsWith("#")) return null;
  }
  return block === null ? blocks : null;
};

const keyOf = (pem: string): { readonly id: string; readonly object: KeyObject } | null => {
  try {
    const object = createPublicKey(pem);
    if (object.asymmetricKeyType !== "ed25519") return null;
    const raw = Buffer.from(object.export({ format: "jwk" }).x as string, "base64url");
    // Anybody can sign for such a key.
    if (isWeakKey(raw)) return null;
    return { id: createHash("sha256").update(raw).digest("hex").slice(0, 16), object };
  } catch {
    return null;
  }
};

const bytesOf = (file: string, maxBytes: number, tooLarge: SignedFileRefusal): Uint8Array => {
  try {
    return readRegularFile(file, maxBytes);
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    throw new SignedFileRefused(error.why === "too_large" ? tooLarge : "unreadable", error.message);
  }
};
