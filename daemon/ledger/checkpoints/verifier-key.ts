import { hash } from "node:crypto";
import { decodeBase64, encodeBase64 } from "../../../wire/base64.ts";
import { type PublicKey, publicKeyFromRaw } from "../../keys/public-key.ts";
import { isKeyName } from "./signed-note.ts";

/** What a key signs: the note itself, or as a witness the time and the note (C2SP tlog-cosignature). */
export type NoteKeyKind = "log" | "witness";

const typeByte: Readonly<Record<NoteKeyKind, number>> = Object.freeze({ log: 0x01, witness: 0x04 });

/** A key that notes are verified by. Its text (a vkey) is `<name>+<8 hex digits>+<base64 of the type byte and the key>`. */
export interface VerifierKey {
  readonly name: string;
  readonly kind: NoteKeyKind;
  readonly keyHash: string;
  readonly publicKey: PublicKey;
}

/** Throws RangeError for a name that no note can hold. */
export const verifierKey = (name: string, kind: NoteKeyKind, publicKey: PublicKey): VerifierKey => {
  if (!isKeyName(name)) throw new RangeError("a key's name has no space and no plus");
  const input = Buffer.concat([Buffer.from(`${name}\n`, "utf8"), typedKey(kind, publicKey)]);
  return Object.freeze({ name, kind, keyHash: hash("sha256", input, "hex").slice(0, 8), publicKey });
};

/** Null where the text is not one, or its 8 digits are not those of its name and key. */
export const parseVerifierKey = (text: string): VerifierKey | null => {
  const parts = /^([^+]{1,1024})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/u.exec(text);
  if (parts === null) return null;
  const [, name, keyHash, encoded] = parts as unknown as readonly [string, string, string, string];
  const bytes = decodeBase64(encoded);
  const kind = bytes?.[0] === typeByte.log ? "log" : bytes?.[0] === typeByte.witness ? "witness" : null;
  if (bytes?.length !== 33 || kind === null || !isKeyName(name)) return null;
  const key = verifierKey(name, kind, publicKeyFromRaw(bytes.slice(1)));
  return key.keyHash === keyHash ? key : null;
};

export const verifierKeyText = ({ name, kind, keyHash, publicKey }: VerifierKey): string =>
  `${name}+${keyHash}+${encodeBase64(typedKey(kind, publicKey))}`;

const typedKey = (kind: NoteKeyKind, publicKey: PublicKey): Uint8Array =>
  Buffer.concat([new Uint8Array([typeByte[kind]]), publicKey.raw]);
