import { decodeBase64 } from "./base64.ts";
import { type CodecOptions, v1Codec } from "./encode-value.ts";
import { bytesKey, bytesTag, envelopeTag, needsEscape, tagKey } from "./envelope.ts";
import { WireError } from "./errors.ts";
import { setOwn } from "./own-property.ts";
import type { JsonValue, WireValue } from "./value.ts";

/**
 * The value that JSON off the wire stands for: bytes envelopes become Uint8Array, escaped look-alikes (feature `escape`)
 * themselves. Any other object passes through untouched, also one that only contains the tag. Where there is nothing to
 * decode, the same objects are returned, not copies.
 *
 * Throws `WireError` with code `bad_request` for an envelope whose `b64` is not strict base64, and for an escape that the
 * encoder would not have written. Expects JSON that was admitted (admission.ts), so that its depth is bounded.
 */
export const decodeValue = (json: JsonValue, options: CodecOptions = v1Codec): WireValue =>
  typeof json === "object" && json !== null ? decodeObject(json, options) : json;

const decodeObject = (json: object, options: CodecOptions): WireValue => {
  if (Array.isArray(json)) return decodeItems(json, options);
  const keys = Object.keys(json);
  const tag = envelopeTag(json, keys);
  if (tag === bytesTag) return decodeBytes((json as { readonly b64: JsonValue })[bytesKey]);
  const members = decodeMembers(json as { readonly [key: string]: JsonValue }, keys, options);
  return tag !== null && options.escape && tag.startsWith("=") ? unescaped(members, tag) : members;
};

const decodeItems = (items: readonly JsonValue[], options: CodecOptions): readonly WireValue[] => {
  let out: WireValue[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as JsonValue;
    if (typeof item !== "object" || item === null) continue;
    const decoded = decodeObject(item, options);
    if (decoded === item) continue;
    if (out === null) out = [...items];
    out[i] = decoded;
  }
  return out ?? items;
};

const decodeMembers = (
  object: { readonly [key: string]: JsonValue },
  keys: readonly string[],
  options: CodecOptions,
): { readonly [key: string]: WireValue } => {
  let out: Record<string, WireValue> | null = null;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key] as JsonValue;
    if (typeof item !== "object" || item === null) continue;
    const decoded = decodeObject(item, options);
    if (decoded === item) continue;
    // A spread keeps an own `__proto__` key an own key.
    if (out === null) out = { ...object };
    setOwn(out, key, decoded);
  }
  return out ?? object;
};

const decodeBytes = (b64: JsonValue): Uint8Array => {
  const bytes = typeof b64 === "string" ? decodeBase64(b64) : null;
  if (bytes === null) throw new WireError("bad_request", "encoded bytes must be standard base64 with padding");
  return bytes;
};

const unescaped = (object: { readonly [key: string]: WireValue }, tag: string): WireValue => {
  const own = tag.slice(1);
  if (!needsEscape(own)) throw new WireError("bad_request", "an escaped tag that needs no escape");
  return { [tagKey]: own, [bytesKey]: object[bytesKey] as WireValue };
};
