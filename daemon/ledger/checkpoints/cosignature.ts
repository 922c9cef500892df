import { sign } from "node:crypto";
import type { PrivateKey } from "../../keys/private-key.ts";
import type { NoteSignature, SignedNote } from "./signed-note.ts";
import { verifierKey } from "./verifier-key.ts";

/** 8 bytes of seconds since 1970, then 64 of Ed25519 (C2SP tlog-cosignature). */
export const cosignatureBytes = 8 + 64;

/** What a witness says: that it saw this tree as the newest of its log at that time. */
export interface Cosignature {
  readonly time_s: number;
  readonly signature: Uint8Array;
}

/** Null where the bytes are none, or the time is beyond what a number holds. */
export const parseCosignature = (bytes: Uint8Array): Cosignature | null => {
  if (bytes.length !== cosignatureBytes) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return time > BigInt(Number.MAX_SAFE_INTEGER) ? null : { time_s: Number(time), signature: bytes.slice(8) };
};

/** The bytes that a witness signs. */
export const cosignedBytes = (text: string, time_s: number): Uint8Array =>
  Buffer.from(`cosignature/v1\ntime ${time_s}\n${text}`, "utf8");

/** A witness's signature for a note. The daemon makes none: a log is no witness of itself. */
export const cosign = (note: SignedNote, name: string, key: PrivateKey, time_s: number): NoteSignature => {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(time_s));
  const signature = Buffer.concat([time, sign(null, cosignedBytes(note.text, time_s), key.object)]);
  const { keyHash } = verifierKey(name, "witness", key.publicKey);
  return Object.freeze({ name, keyHash, signature: new Uint8Array(signature) });
};
