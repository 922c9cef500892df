import { randomBytes, sign } from "node:crypto";
import { canonicalJson } from "../../wire/canonical.ts";
import type { PrivateKey } from "../keys/private-key.ts";
import { type TokenClaims, tokenAlgorithm, tokenType } from "./token.ts";

export interface TokenRequest {
  readonly principal: string;
  readonly audience: string;
  readonly life_s: number;
  readonly once: boolean;
  readonly now_ms: number;
}

/** The claims of a token that begins now. */
export const newClaims = ({ principal, audience, life_s, once, now_ms }: TokenRequest): TokenClaims => {
  const iat = Math.floor(now_ms / 1000);
  const jti = randomBytes(16).toString("base64url");
  return Object.freeze({ sub: principal, aud: audience, iat, nbf: iat, exp: iat + life_s, jti, once });
};

/** The token's text. */
export const signToken = ({ once, ...claims }: TokenClaims, key: PrivateKey): string => {
  const header = part({ alg: tokenAlgorithm, kid: key.keyId, typ: tokenType });
  const signed = `${header}.${part(once ? { ...claims, once } : claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed, "latin1"), key.object).toString("base64url")}`;
};

const part = (json: Parameters<typeof canonicalJson>[0]): string =>
  Buffer.from(canonicalJson(json)).toString("base64url");
