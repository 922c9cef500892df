import { type DocumentKind, documentBytes, type SignedDocument } from "../../wire/signed-document.ts";
import type { PrivateKey } from "./private-key.ts";
import { signBytes } from "./sign-bytes.ts";

/** A document that this key signed. Its text is `signedDocumentText` of it. */
export const signDocument = (document: DocumentKind, payload: string, key: PrivateKey): SignedDocument =>
  cosignDocument(Object.freeze({ document, payload, signatures: Object.freeze([]) }), key);

/** The same document with this key's signature beside the others, in place of an older one of the same key. */
export const cosignDocument = ({ document, payload, signatures }: SignedDocument, key: PrivateKey): SignedDocument => {
  const added = Object.freeze({ key_id: key.keyId, signature: signBytes(documentBytes(document, payload), key) });
  const others = signatures.filter(({ key_id }) => key_id !== key.keyId);
  return Object.freeze({ document, payload, signatures: Object.freeze([...others, added]) });
};
