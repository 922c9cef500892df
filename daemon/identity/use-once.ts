import { createHash } from "node:crypto";
import type { OpenLedger } from "../ledger/record.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import { TokenRefused } from "./refused.ts";
import { maxTokenLife_s, type Token } from "./token.ts";

/** Kept for longer than the token stands, so that a clock that is set back revives none. */
const keptAfter_ms = maxTokenLife_s * 1000;

/**
 * A single-use token is noted in the store before it binds anybody: it survives a restart, and every daemon of the store sees
 * it. Throws (or rejects with) TokenRefused, where it was used, and where nobody can tell.
 */
export const useOnce = (ledger: Pick<OpenLedger, "change">, token: Token): Maybe<void> =>
  runSteps(noted(ledger, token));

function* noted(ledger: Pick<OpenLedger, "change">, { kid, claims }: Token): Steps<void> {
  const digest = createHash("sha256").update(`interlock token v1\n${kid}\n${claims.jti}`).digest("hex");
  const expires_ms = claims.exp * 1000 + keptAfter_ms;
  let isFirst: boolean;
  try {
    isFirst = yield* step(
      ledger.change(function* (tx) {
        return yield* step(tx.useToken(digest, expires_ms));
      }),
    );
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
    throw new TokenRefused("token_unchecked", "whether the token was used before could not be looked up");
  }
  if (!isFirst) throw new TokenRefused("token_used", "the token is for one connection and was used before");
}
