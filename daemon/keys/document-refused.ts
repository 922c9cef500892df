/** Why a signed document was refused: a scope document, a fallback policy, a hand-over or a revocation. docs/errors.md lists them. */
export const documentRefusals = Object.freeze({
  document_malformed: "it is not a signed document of its kind, or is too large",
  document_wrong_key: "it is signed by a key that is not trusted in its role",
  document_bad_signature: "its signature does not hold: it was altered",
  document_key_revoked: "it is signed by a key that is revoked",
  document_key_out_of_days: "it is signed by a key whose days are over or have not begun",
  document_too_few_signatures: "fewer signers have signed it than its role needs",
} satisfies Record<string, string>);

export type DocumentRefusal = keyof typeof documentRefusals;

/** One line: which file, what is wrong with it, what to do. Never a byte of its payload. */
export class DocumentRefused extends Error {
  override readonly name = "DocumentRefused";
  readonly code: DocumentRefusal;
  constructor(code: DocumentRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
