import { createHash } from "node:crypto";
import type { Coordination } from "../coordination/coordination.ts";
import type { OpenLedger } from "../ledger/record.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import { TokenRefused } from "./refused.ts";
import { maxTokenLife_s, type Token } from "./token.ts";

/** Kept for longer than the token stands, so that a clock that is set back revives none. */
const keptAfter_ms = maxTokenLife_s * 1000;

/** Whatever the clocks of daemons say: no token lives longer, nor begins later than they may be apart. */
const keptShared_ms = 3 * keptAfter_ms;

/** Where single-use tokens are noted. */
export interface TokenNotes {
  readonly ledger: Pick<OpenLedger, "change">;
  readonly coordination: Pick<Coordination, "noteToken">;
}

/**
 * A single-use token is noted in the store before it binds anybody: it survives a restart, and every daemon of the store sees
 * it; and before that with those that share no store, and take the same tokens. Throws (or rejects with) TokenRefused, where it was
 * used, and where nobody can tell.
 */
export const useOnce = (notes: TokenNotes, token: Token): Maybe<void> => runSteps(noted(notes, token));

function* noted({ ledger, coordination }: TokenNotes, { kid, claims }: Token): Steps<void> {
  const digest = createHash("sha256").update(`interlock token v1\n${kid}\n${claims.jti}`).digest("hex");
  const expires_ms = claims.exp * 1000 + keptAfter_ms;
  const isFirstShared = yield* step(coordination.noteToken(digest, keptShared_ms));
  if (isFirstShared === null) throw unchecked();
  if (!isFirstShared) throw used();
  let isFirst: boolean;
  try {
    isFirst = yield* step(
      ledger.change(function* (tx) {
        return yield* step(tx.useToken(digest, expires_ms));
      }),
    );
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
    throw unchecked();
  }
  if (!isFirst) throw used();
}

const unchecked = () => new TokenRefused("token_unchecked", "whether the token was used before could not be looked up");

const used = () => new TokenRefused("token_used", "the token is for one connection and was used before");
