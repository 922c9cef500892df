import { admit } from "../../wire/admission.ts";
import { isObject } from "../../wire/fields.ts";
import { maxTokenBytes } from "../../wire/limits.ts";
import type { JsonObject } from "../../wire/value.ts";
import { isBindable } from "./principal-path.ts";
import { TokenRefused } from "./refused.ts";
import {
  maxAudienceBytes,
  maxTokenIdBytes,
  maxTokenLife_s,
  type Token,
  type TokenClaims,
  tokenAlgorithm,
  tokenType,
} from "./token.ts";

/** Reads a token strictly, and believes nothing of it. Throws TokenRefused (`token_malformed`). */
export const parseToken = (text: string): Token => {
  if (text.length > maxTokenBytes) return malformed(`it is longer than ${maxTokenBytes} bytes`);
  const parts = text.split(".", 4);
  const [header = "", payload = "", signature = ""] = parts;
  if (parts.length !== 3) return malformed("it is not three parts with a dot between them");
  const kid = kidOf(objectOf(header, "header"));
  const claims = claimsOf(objectOf(payload, "payload"));
  const signatureBytes = bytesOf(signature, "signature");
  if (signatureBytes.length !== 64) return malformed("its signature has not 64 bytes");
  return Object.freeze({
    kid,
    claims,
    signed: Buffer.from(`${header}.${payload}`, "latin1"),
    signature: signatureBytes,
  });
};

const malformed = (what: string): never => {
  throw new TokenRefused("token_malformed", `the token is malformed: ${what}`);
};

/** Strict base64url without padding (RFC 7515, 2): what Node takes beyond it does not encode to the same text again. */
const bytesOf = (text: string, what: string): Uint8Array => {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : malformed(`its ${what} is not base64url`);
};

const objectOf = (text: string, what: string): JsonObject => {
  const bytes = bytesOf(text, what);
  let json: unknown;
  try {
    json = admit(bytes);
  } catch {
    return malformed(`its ${what} is not strict JSON`);
  }
  return isObject(json as JsonObject) ? (json as JsonObject) : malformed(`its ${what} is not an object`);
};

const hasExactly = (object: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(object).length === keys.length && keys.every((key) => Object.hasOwn(object, key));

const kidOf = (header: JsonObject): string => {
  const { alg, typ, kid } = header;
  if (!hasExactly(header, ["alg", "kid", "typ"]) || alg !== tokenAlgorithm || typ !== tokenType) {
    return malformed(`its header is not exactly alg ${tokenAlgorithm}, kid and typ ${tokenType}`);
  }
  return typeof kid === "string" && /^[0-9a-f]{16}$/.test(kid) ? kid : malformed("its kid is not a key's id");
};

const claimKeys = ["aud", "exp", "iat", "jti", "nbf", "sub"];

const claimsOf = (payload: JsonObject): TokenClaims => {
  const { aud, exp, iat, jti, nbf, once, sub } = payload;
  const isOnce = Object.hasOwn(payload, "once");
  if (!hasExactly(payload, isOnce ? [...claimKeys, "once"] : claimKeys)) {
    return malformed(`its claims are not exactly ${claimKeys.join(", ")}, and once where it is for one use`);
  }
  if (isOnce && once !== true) return malformed("once is true or left out");
  if (typeof sub !== "string" || !isBindable(sub)) return malformed("sub is not a principal");
  if (!isText(aud, maxAudienceBytes)) return malformed(`aud is not 1 to ${maxAudienceBytes} bytes of text`);
  if (!isText(jti, maxTokenIdBytes)) return malformed(`jti is not 1 to ${maxTokenIdBytes} bytes of text`);
  if (!isSeconds(iat) || !isSeconds(nbf) || !isSeconds(exp)) return malformed("iat, nbf and exp are whole seconds");
  if (nbf >= exp || iat >= exp) return malformed("it is over before it begins");
  if (exp - Math.min(iat, nbf) > maxTokenLife_s) return malformed(`it lives longer than ${maxTokenLife_s / 3600} h`);
  return Object.freeze({ sub, aud, iat, nbf, exp, jti, once: isOnce });
};

const isText = (value: unknown, maxBytes: number): value is string =>
  typeof value === "string" && value !== "" && Buffer.byteLength(value) <= maxBytes;

/** Up to the year 9999. */
const isSeconds = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 253_402_300_799;
