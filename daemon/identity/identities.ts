import { type Maybe, whenDone } from "../store/steps.ts";
import { type Acting, actingIn, type Claim, namedIn } from "./acting.ts";
import { believedKeys } from "./believed-keys.ts";
import type { BoundIdentity } from "./bound-identity.ts";
import type { IdentityRules } from "./identity-rules.ts";
import { parseToken } from "./parse-token.ts";
import type { Token } from "./token.ts";
import { type TokenNotes, useOnce } from "./use-once.ts";
import { type TokenTrust, verifyToken } from "./verify-token.ts";

/** Who connections are bound to, and who acts in what they ask. */
export interface Identities {
  /** What a hello's token binds its connection to. Throws (or rejects with) TokenRefused. */
  bind(token: string): Maybe<BoundIdentity>;
  /** Who acts in an event of a connection that is bound so; `token` null: by no token. */
  acting(claim: Claim, token: BoundIdentity | null): Acting;
}

export interface IdentityTerms {
  readonly rules: IdentityRules;
  readonly audience: string;
  readonly skew_ms: number;
  /** Asked each time: a reload puts another in its place. */
  readonly trust: () => TokenTrust;
  readonly notes: TokenNotes;
  readonly now_ms: () => number;
}

/** A token that is shown is always verified, also where the settings ask for none: nobody is taken for less than he says. */
export const identities = ({ rules, audience, skew_ms, trust, notes, now_ms }: IdentityTerms): Identities => {
  const believes = believedKeys(trust);
  return Object.freeze({
    bind(text: string): Maybe<BoundIdentity> {
      const token = parseToken(text);
      const claims = verifyToken(token, { trust: trust(), audience, skew_ms, now_ms: now_ms() });
      const bound = boundBy(token, skew_ms);
      return claims.once ? whenDone(useOnce(notes, token), () => bound) : bound;
    },
    acting: (claim: Claim, token: BoundIdentity | null) =>
      token === null ? namedIn(claim, null, rules) : actingIn(claim, token, rules, { now_ms: now_ms(), believes }),
  });
};

const boundBy = ({ kid, claims }: Token, skew_ms: number): BoundIdentity =>
  Object.freeze({ principal: claims.sub, expires_ms: claims.exp * 1000 + skew_ms, keyId: kid });
