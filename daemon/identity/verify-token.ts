import type { KeyStanding, Trust } from "../keys/trust.ts";
import { verifyBytes } from "../keys/verify-bytes.ts";
import { TokenRefused } from "./refused.ts";
import type { Token, TokenClaims } from "./token.ts";

export type TokenTrust = Pick<Trust, "keysOf" | "standingOf">;

/** What a token is judged by. */
export interface TokenTerms {
  readonly trust: TokenTrust;
  /** The daemon's own name: a token for another is refused. */
  readonly audience: string;
  /** How far the issuer's clock and this one may be apart. */
  readonly skew_ms: number;
  readonly now_ms: number;
}

/**
 * Believes a token's claims, or throws TokenRefused. Its times count only after its signature, so that nobody learns from a
 * forgery what a daemon would say of a real one.
 */
export const verifyToken = (token: Token, { trust, audience, skew_ms, now_ms }: TokenTerms): TokenClaims => {
  const { kid, claims, signed, signature } = token;
  const key = trust.keysOf("tokens", now_ms).find(({ keyId }) => keyId === kid);
  if (key === undefined) return refuseKey(trust.standingOf("tokens", kid, now_ms));
  if (!verifyBytes(signed, signature, key)) return refuse("token_bad_signature", "the token's signature does not hold");
  if (claims.aud !== audience) return refuse("token_other_audience", "the token is for another daemon");
  if (claims.nbf * 1000 > now_ms + skew_ms || claims.iat * 1000 > now_ms + skew_ms) {
    return refuse("token_not_yet_valid", "the token is not valid yet; compare the clocks");
  }
  if (claims.exp * 1000 + skew_ms <= now_ms) return refuse("token_expired", "the token has expired; show a fresh one");
  return claims;
};

/** A key that was believed and is no more is told apart: its tokens are worth nothing, and somebody should ask where they come from. */
const refuseKey = (standing: KeyStanding): never =>
  standing === "unknown" || standing === "other_role"
    ? refuse("token_unknown_key", "the token is signed by a key that is not trusted for tokens")
    : refuse("token_key_revoked", "the key that signed the token is revoked or not within its days");

const refuse = (code: TokenRefused["code"], message: string): never => {
  throw new TokenRefused(code, message);
};
