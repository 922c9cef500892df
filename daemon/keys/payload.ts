import { Buffer } from "node:buffer";
import { admit } from "../../wire/admission.ts";
import { decodeBase64, encodeBase64 } from "../../wire/base64.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { WireError } from "../../wire/errors.ts";
import { isObject } from "../../wire/fields.ts";
import { timeText_ms } from "../../wire/utc-time.ts";
import type { JsonObject } from "../../wire/value.ts";
import { isWeakKey } from "../../wire/weak-keys.ts";
import { type PublicKey, publicKeyFromRaw } from "./public-key.ts";

/** A payload's object of exactly these keys, in canonical JSON, so that one payload has one text. Null otherwise. */
export const parsePayload = (payload: string, keys: readonly string[]): JsonObject | null => {
  try {
    const json = admit(Buffer.from(payload, "utf8"));
    if (!isObject(json) || canonicalJson(json) !== payload) return null;
    const own = Object.keys(json);
    return own.length === keys.length && keys.every((key) => Object.hasOwn(json, key)) ? json : null;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return null;
  }
};

/** The same where null says that there is no end; undefined where it is neither. */
export const timeOrNull = (value: unknown): number | null | undefined =>
  value === null ? null : (timeText_ms(value) ?? undefined);

/** 32 bytes as base64. */
export const publicKeyText = ({ raw }: PublicKey): string => encodeBase64(raw);

/** The key of such a text; null where it is none, or one that anybody can sign for. */
export const rawPublicKey = (value: unknown): PublicKey | null => {
  const raw = typeof value === "string" && value.length === 44 ? decodeBase64(value) : null;
  return raw?.length === 32 && !isWeakKey(raw) ? publicKeyFromRaw(raw) : null;
};
