import { decodeBase64, encodeBase64 } from "../../../wire/base64.ts";

/**
 * C2SP signed-note: text that ends in a line feed, an empty line, and one line a signature:
 * `— <key name> <base64 of 4 bytes that name the key, then the signature>`. Nothing in it means anything before a
 * signature holds.
 */
export interface SignedNote {
  /** What was signed, its last line feed included. */
  readonly text: string;
  /** At least one. */
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  /** 8 hex digits: with the name it says which key to try, and proves nothing. */
  readonly keyHash: string;
  readonly signature: Uint8Array;
}

/** Far above a checkpoint with 16 witnesses of any signature that is in use. */
export const maxNoteBytes = 256 * 1024;
export const maxNoteSignatures = 64;

/** No spaces of any script and no plus: what a line and a key's text are split at. */
export const isKeyName = (name: string): boolean => /^[^\p{White_Space}+]+$/u.test(name);

const linePrefix = "— ";

/** Null where it is not one, strictly: every byte of it belongs to the text or to a signature. */
export const parseSignedNote = (note: string): SignedNote | null => {
  if (note.length > maxNoteBytes || !isNoteText(note)) return null;
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return null;
  const lines = note.slice(split + 2, -1).split("\n");
  if (lines.length > maxNoteSignatures) return null;
  const signatures = lines.map(parseLine);
  if (!signatures.every((signature) => signature !== null)) return null;
  return Object.freeze({ text: note.slice(0, split + 1), signatures: Object.freeze(signatures) });
};

export const signedNoteText = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(signatureLine).join("")}`;

/** One signature as its line, the line feed included. */
export const signatureLine = ({ name, keyHash, signature }: NoteSignature): string =>
  `${linePrefix}${name} ${encodeBase64(Buffer.concat([Buffer.from(keyHash, "hex"), signature]))}\n`;

const parseLine = (line: string): NoteSignature | null => {
  const [dash, name, encoded, ...more] = line.split(" ");
  if (dash !== "—" || name === undefined || encoded === undefined || more.length > 0 || !isKeyName(name)) return null;
  const bytes = decodeBase64(encoded);
  if (bytes === null || bytes.length <= 4) return null;
  const keyHash = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  return Object.freeze({ name, keyHash, signature: bytes.slice(4) });
};

/** Unicode that has a UTF-8 form, and no control character but the line feed. */
const isNoteText = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 && unit !== 0x0a) return false;
  }
  return !/\p{Surrogate}/u.test(text);
};
