import { WireError } from "../../wire/errors.ts";
import { documentBytes, parseSignedDocument, type SignedDocument } from "../../wire/signed-document.ts";
import { DocumentRefused } from "./document-refused.ts";
import { judgeSignatures, type SignatureProblem } from "./judge-signatures.ts";
import type { Trust } from "./trust.ts";

/** Kinds whose name is the role of the keys that sign them. */
export type RoleDocument = "fallback" | "scopes";

export interface DocumentFile {
  /** Named in a refusal. */
  readonly path: string;
  /** Read once: what is verified is what is used. */
  readonly bytes: Uint8Array;
}

/** What enough believed signers have signed. Its payload's own form, days and version are still to be judged. */
export interface VerifiedDocument {
  readonly payload: string;
  /** Believed keys whose signatures hold. */
  readonly key_ids: readonly string[];
}

/** The security argument, in order: a strict form, then signatures, and nothing of the payload before they hold. Throws `DocumentRefused`. */
export const verifyDocument = (
  file: DocumentFile,
  kind: RoleDocument,
  trust: Trust,
  at_ms: number,
): VerifiedDocument => {
  const document = parseDocumentFile(file, kind);
  const { payload, signatures } = document;
  const judged = judgeSignatures({ bytes: documentBytes(kind, payload), signatures, role: kind, at_ms }, trust);
  if (!judged.held)
    throw new DocumentRefused(refusalOf(judged.problem), `${kind} document ${file.path} ${judged.what}`);
  return Object.freeze({ payload, key_ids: judged.key_ids });
};

/** Only the form: nobody's signature was looked at. Throws `DocumentRefused` (`document_malformed`). */
export const parseDocumentFile = ({ path, bytes }: DocumentFile, kind: SignedDocument["document"]): SignedDocument => {
  try {
    return parseSignedDocument(bytes, kind);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new DocumentRefused("document_malformed", `${kind} document ${path}: ${error.message}`);
  }
};

const refusalOf = (problem: SignatureProblem): DocumentRefused["code"] => `document_${problem}`;
