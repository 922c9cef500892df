import { createHash, type Hash } from "node:crypto";
import { bytesOf } from "../bytes-of.ts";

const newHash = createHash;
const { apply, getPrototypeOf } = Reflect;
/** As they are before the program, which can alter them. */
const { update, digest } = getPrototypeOf(createHash("sha256")) as Hash;

/** What is hashed at once: of longer text the hash would make a copy as bytes. */
const longestPiece_chars = 1 << 18;
/** The hash takes no more than 2 GiB at once. */
const longestPiece_bytes = 1 << 26;

/** What rules are shown of data that is too long to be shown. */
export interface DataDigest {
  readonly bytes: number;
  /** In hex; of text the digest of its UTF-8 form. */
  readonly sha256: string;
}

/** The length and digest of pieces that are written one after the other. */
export const dataDigest = (pieces: readonly (string | ArrayBufferView)[]): DataDigest => {
  const hash = newHash("sha256");
  let bytes = 0;
  for (const piece of pieces) {
    bytes += dataBytes(piece);
    if (typeof piece === "string") hashText(hash, piece);
    else hashBytes(hash, bytesOf(piece));
  }
  return { bytes, sha256: apply(digest, hash, ["hex"]) as unknown as string };
};

export const dataBytes = (piece: string | ArrayBufferView): number =>
  typeof piece === "string" ? Buffer.byteLength(piece) : bytesOf(piece).byteLength;

const hashText = (hash: Hash, text: string): void => {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + longestPiece_chars, text.length);
    // Not between the halves of one character.
    if (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end--;
    apply(update, hash, [text.slice(at, end)]);
    at = end;
  }
};

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

const hashBytes = (hash: Hash, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; at += longestPiece_bytes) {
    apply(update, hash, [bytes.subarray(at, at + longestPiece_bytes)]);
  }
};
