import { verifyBytes } from "../../keys/verify-bytes.ts";
import { cosignedBytes, parseCosignature } from "./cosignature.ts";
import type { NoteSignature, SignedNote } from "./signed-note.ts";
import type { VerifierKey } from "./verifier-key.ts";

/** Which of the keys that somebody believes have signed a note. */
export interface NoteSigners {
  /** Each once. */
  readonly signed: readonly VerifierKey[];
  /** A signature of theirs (by name and key hash) does not hold: the note is to be refused, whoever else signed. */
  readonly forged: readonly VerifierKey[];
}

/** Signatures of other keys are passed over, as the format asks: a note may have any number of them. */
export const noteSigners = (note: SignedNote, keys: readonly VerifierKey[]): NoteSigners => {
  const signed: VerifierKey[] = [];
  const forged: VerifierKey[] = [];
  for (const key of keys) {
    const theirs = note.signatures.filter(({ name, keyHash }) => name === key.name && keyHash === key.keyHash);
    if (theirs.length === 0) continue;
    (theirs.every((signature) => holds(note.text, signature, key)) ? signed : forged).push(key);
  }
  return Object.freeze({ signed: Object.freeze(signed), forged: Object.freeze(forged) });
};

const holds = (text: string, { signature }: NoteSignature, { kind, publicKey }: VerifierKey): boolean => {
  if (kind === "log") return verifyBytes(Buffer.from(text, "utf8"), signature, publicKey);
  const cosignature = parseCosignature(signature);
  return cosignature !== null && verifyBytes(cosignedBytes(text, cosignature.time_s), cosignature.signature, publicKey);
};
