import type { CommandResult } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { quotedText, safeName } from "../../operator/display/safe-text.ts";
import { isoText, spanText } from "../../operator/display/time-text.ts";
import { parseToken } from "../parse-token.ts";
import { TokenRefused } from "../refused.ts";
import type { Token } from "../token.ts";
import { type TokenTerms, verifyToken } from "../verify-token.ts";

/**
 * `interlock token inspect`: what a token says, and whether a daemon of this configuration would take it. Exit code 1 where it
 * would not. Whether a single-use token was used, only the daemon knows.
 */
export const inspect = (text: string, terms: TokenTerms): CommandResult => {
  let token: Token | null = null;
  try {
    token = parseToken(text);
    verifyToken(token, terms);
    return result(token, terms, null);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    return result(token, terms, error);
  }
};

const result = (token: Token | null, { audience, now_ms }: TokenTerms, refused: TokenRefused | null): CommandResult => {
  const verdict = refused === null ? "it would be taken" : `it would be refused (${refused.code}): ${refused.message}`;
  const json = { ok: refused === null, code: refused?.code ?? null };
  const exitCode = refused === null ? ExitCode.done : ExitCode.no;
  if (token === null) return { exitCode, lines: [verdict], json };
  const { kid, claims } = token;
  const { sub, aud, nbf, exp, once, jti } = claims;
  const left_ms = exp * 1000 - now_ms;
  const lines = [
    // Nothing of it was verified where the verdict below is a no.
    `principal ${safeName(sub)}`,
    `audience ${safeName(aud)}${aud === audience ? ", which is this daemon" : `; this daemon is ${safeName(audience)}`}`,
    `from ${isoText(nbf * 1000)} until ${isoText(exp * 1000)}, ${left_ms > 0 ? `${spanText(left_ms)} left` : "over"}`,
    `signed by ${kid}, id ${quotedText(jti)}${once ? ", for one connection" : ""}`,
    verdict,
  ];
  return { exitCode, lines, json: { ...json, key_id: kid, ...claims } };
};
