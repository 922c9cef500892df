import { Buffer } from "node:buffer";

/** Standard base64 with padding (RFC 4648, section 4). */
export const encodeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

/**
 * Strict: the alphabet, the padding and zero trailing bits (RFC 4648, 3.2 to 3.5), so that bytes have one text. Null
 * otherwise. Node's decoder is lenient, and what it accepts beyond that does not encode to the same text again. The bytes have
 * memory of their own: a Buffer's shared pool would show a rule its neighbours.
 */
export const decodeBase64 = (text: string): Uint8Array | null => {
  const decoded = Buffer.from(text, "base64");
  if (decoded.toString("base64") !== text) return null;
  return new Uint8Array(decoded);
};
