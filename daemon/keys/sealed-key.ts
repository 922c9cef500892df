import { Buffer } from "node:buffer";
import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { decodeBase64, encodeBase64 } from "../../wire/base64.ts";
import { type PrivateKey, privateKeyFromSeed } from "./private-key.ts";
import { nacl } from "./tweetnacl.ts";

/**
 * A private key that opens with a passphrase: the seed in a secretbox (XSalsa20 and Poly1305), under what scrypt (RFC 7914) makes
 * of the passphrase. Five lines between a PEM's two:
 *
 *     -----BEGIN INTERLOCK SEALED KEY-----
 *     key_id 0123456789abcdef
 *     scrypt N=131072 r=8 p=1
 *     salt <16 bytes of base64>
 *     nonce <24 bytes of base64>
 *     box <48 bytes of base64>
 *     -----END INTERLOCK SEALED KEY-----
 */
export interface SealedKey {
  /** What the file says of it; whoever opens it checks that. */
  readonly keyId: string;
  readonly cost: ScryptCost;
  readonly salt: Uint8Array;
  readonly nonce: Uint8Array;
  readonly box: Uint8Array;
}

/** Memory is 128 x N x r bytes; time grows with N x r x p. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MiB and about half a second. */
export const sealingCost: ScryptCost = Object.freeze({ N: 131_072, r: 8, p: 1 });

/** What a file may ask of whoever opens it: enough to be a seal, and never more than a laptop has to spare. */
const leastN = 16_384;
const mostN = 1_048_576;
const mostR = 16;
const mostP = 4;
export const maxScryptBytes = 512 * 1024 * 1024;

/** `secretbox`'s own: a test holds them equal. */
export const keyBytes = 32;
export const nonceBytes = 24;
export const boxOverheadBytes = 16;

const begin = "-----BEGIN INTERLOCK SEALED KEY-----";
const end = "-----END INTERLOCK SEALED KEY-----";

export const isSealedText = (text: string): boolean => text.startsWith(begin);

/** Of a key and a passphrase: another text each time. */
export const sealKey = async (
  { keyId, seed }: PrivateKey,
  passphrase: string,
  cost: ScryptCost = sealingCost,
): Promise<string> => {
  const salt = randomBytes(16);
  const nonce = randomBytes(nonceBytes);
  const box = nacl().secretbox(seed, nonce, await stretched(passphrase, salt, cost));
  const lines = [
    begin,
    `key_id ${keyId}`,
    `scrypt N=${cost.N} r=${cost.r} p=${cost.p}`,
    `salt ${encodeBase64(salt)}`,
    `nonce ${encodeBase64(nonce)}`,
    `box ${encodeBase64(box)}`,
    end,
  ];
  return `${lines.join("\n")}\n`;
};

/** Exactly these lines, each of its form, and a cost within bounds; null otherwise. Nothing is computed before that. */
export const parseSealedKey = (text: string): SealedKey | null => {
  const lines = text.split("\n");
  if (lines.length !== 8 || lines[0] !== begin || lines[6] !== end || lines[7] !== "") return null;
  const keyId = /^key_id ([0-9a-f]{16})$/.exec(lines[1]!)?.[1];
  const cost = costOf(lines[2]!);
  const salt = bytesOf("salt", lines[3]!, 16);
  const nonce = bytesOf("nonce", lines[4]!, nonceBytes);
  const box = bytesOf("box", lines[5]!, 32 + boxOverheadBytes);
  if (keyId === undefined || cost === null || salt === null || nonce === null || box === null) return null;
  return Object.freeze({ keyId, cost, salt, nonce, box });
};

/** Null where the passphrase is another one, or the file was altered: which of the two is not told apart. */
export const openSealedKey = async (sealed: SealedKey, passphrase: string): Promise<PrivateKey | null> => {
  const seed = nacl().secretbox.open(sealed.box, sealed.nonce, await stretched(passphrase, sealed.salt, sealed.cost));
  if (seed === null) return null;
  const key = privateKeyFromSeed(seed);
  return key.keyId === sealed.keyId ? key : null;
};

const scryptAsync = promisify<Buffer, Uint8Array, number, ScryptCost & { maxmem: number }, Buffer>(scrypt);

/** The same passphrase however it was typed: composed and decomposed letters look alike. */
const stretched = (passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Buffer> =>
  scryptAsync(Buffer.from(passphrase.normalize("NFC"), "utf8"), salt, keyBytes, {
    ...cost,
    maxmem: maxScryptBytes + 1024 * 1024,
  });

const costOf = (line: string): ScryptCost | null => {
  const [, N, r, p] = (/^scrypt N=(\d{1,7}) r=(\d{1,2}) p=(\d)$/.exec(line) ?? []).map(Number);
  if (N === undefined || r === undefined || p === undefined) return null;
  const isPowerOfTwo = Number.isInteger(Math.log2(N));
  if (!isPowerOfTwo || N < leastN || N > mostN || r < 8 || r > mostR || p < 1 || p > mostP) return null;
  return 128 * N * r > maxScryptBytes ? null : { N, r, p };
};

const bytesOf = (name: string, line: string, length: number): Uint8Array | null => {
  const [label, text, more] = line.split(" ");
  const bytes = label === name && text !== undefined && more === undefined ? decodeBase64(text) : null;
  return bytes?.length === length ? bytes : null;
};
