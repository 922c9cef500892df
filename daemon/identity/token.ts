/**
 * A token binds a connection to a principal for a short while. It is a compact JWS (RFC 7515, 7519, 8037) of one form only: the
 * header is exactly `{"alg":"EdDSA","kid":...,"typ":"interlock+jwt"}`, and what verifies it is a key that is believed in the role
 * `tokens`. Nothing that the token says chooses how it is verified.
 *
 *     parse-token   sizes, strict base64url, strict JSON, exactly these keys
 *     verify-token  a believed key, its signature; only then audience, times, revocation
 *     use-once      a single-use token, noted before it is taken
 */
export interface Token {
  /** First 16 hex digits of SHA-256 over the raw public key: it picks the key and proves nothing. */
  readonly kid: string;
  readonly claims: TokenClaims;
  /** The ASCII text that is signed. */
  readonly signed: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Times are seconds since the epoch, as in RFC 7519. */
export interface TokenClaims {
  /** The principal. */
  readonly sub: string;
  /** The daemon, or the deployment, that it is for. */
  readonly aud: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  /** It binds one connection, once. */
  readonly once: boolean;
}

export const tokenAlgorithm = "EdDSA";
export const tokenType = "interlock+jwt";

export const defaultTokenLife_s = 15 * 60;
export const maxTokenLife_s = 24 * 60 * 60;
export const maxAudienceBytes = 256;
export const maxTokenIdBytes = 128;
