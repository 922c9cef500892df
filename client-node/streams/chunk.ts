import { types } from "node:util";
import { canonicalJson } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/codec.ts";
import { bytesOf } from "../bytes-of.ts";
import { snapshot } from "../snapshot.ts";

/** A piece of a text, or of bytes that may be one. */
export type Part = string | Uint8Array;

export const isPart = (value: unknown): value is Part => typeof value === "string" || types.isUint8Array(value);

export interface KeptChunk {
  readonly chunk: unknown;
  /** As text or bytes; of anything else its JSON form. */
  readonly bytes: number;
}

/**
 * A copy of a chunk, for a source may fill the same buffer again, or change what it gave. @throws Unrepresentable it has no JSON form
 */
export const kept = (chunk: unknown): KeptChunk => {
  if (typeof chunk === "string") return { chunk, bytes: Buffer.byteLength(chunk) };
  if (types.isUint8Array(chunk)) {
    const copy = new Uint8Array(bytesOf(chunk));
    return { chunk: Buffer.isBuffer(chunk) ? Buffer.from(copy.buffer) : copy, bytes: copy.length };
  }
  const own = snapshot({ chunk }).chunk;
  return { chunk: own, bytes: Buffer.byteLength(canonicalJson(encodeValue(own, { escape: true }))) };
};

/** The part in the form of another: text for a text, bytes for bytes, a Buffer for a Buffer. */
export const inFormOf = (sample: Part, part: Part): Part => {
  if (typeof sample === "string") return typeof part === "string" ? part : Buffer.from(bytesOf(part)).toString();
  if (Buffer.isBuffer(sample)) return typeof part === "string" ? Buffer.from(part) : Buffer.from(bytesOf(part));
  return typeof part === "string" ? new TextEncoder().encode(part) : new Uint8Array(bytesOf(part));
};

/**
 * Parts as one: a text where they are one, their bytes where these are no UTF-8. The first bytes of a letter that is not complete at the
 * very end are left out of the text. Null where a text among bytes ends within a letter: no bytes could stand for it.
 */
export const joined = (parts: readonly Part[]): Part | null => {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  if (parts.some((part) => typeof part === "string" && !part.isWellFormed())) return null;
  const bytes = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return new Uint8Array(bytes);
  }
};
