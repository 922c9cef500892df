import type { ReasonCode } from "../engine/reason-codes.ts";
import type { BoundIdentity } from "./bound-identity.ts";
import type { IdentityRules } from "./identity-rules.ts";
import { isAtOrBelow } from "./principal-path.ts";

/** How a principal is known: the event's word, the configuration, or a token that was verified. */
export type PrincipalSource = "claimed" | "configured" | "token";

/** Who acts in one event, or why nobody may. */
export interface Acting {
  /** Who acts. Where it is refused: whom the event named, recorded as the claim that it is. */
  readonly principal: string | null;
  readonly source: PrincipalSource;
  /** Whom the connection is bound to, by a token or by the configuration; null where anybody may be named. */
  readonly identity: string | null;
  readonly refused: IdentityRefusal | null;
}

export interface IdentityRefusal {
  readonly code: Extract<ReasonCode, `token_${string}` | `principal_${string}`>;
  readonly reason: string;
}

const refusals: ReadonlySet<string> = new Set<IdentityRefusal["code"]>([
  "principal_forged",
  "token_expired",
  "token_key_revoked",
  "token_required",
]);

/** Did the identity gate decide this? */
export const isIdentityRefusal = (code: string): boolean => refusals.has(code);

/** What an event says of who acts, and on whose behalf. */
export interface Claim {
  readonly principal: string | null;
  readonly parent_principal: string | null;
}

/** Of what is no event, and names nobody: whoever the connection is bound to. */
export const nobodyNamed: Claim = Object.freeze({ principal: null, parent_principal: null });

/** What stands at this moment. */
export interface Standing {
  readonly now_ms: number;
  /** Is this key believed in the role `tokens` still? */
  believes(keyId: string, now_ms: number): boolean;
}

/** A token has to stand when it is acted under, not only when it was shown. */
export const actingIn = (
  claim: Claim,
  token: BoundIdentity | null,
  rules: IdentityRules,
  standing: Standing,
): Acting => {
  if (token !== null) {
    const { principal, expires_ms, keyId } = token;
    if (expires_ms <= standing.now_ms) return refuse(claim, principal, expired);
    if (!standing.believes(keyId, standing.now_ms)) return refuse(claim, principal, keyRevoked);
  }
  return namedIn(claim, token?.principal ?? null, rules);
};

/**
 * An event names the principal that its connection is bound to, or one below it; with none named, the bound one acts. Whoever
 * is bound to nobody is who the event says, where the settings leave it to the event.
 */
export const namedIn = (
  claim: Claim,
  bound: string | null,
  { principals, principal, claims }: IdentityRules,
): Acting => {
  if (bound !== null) return atOrBelow(claim, bound, "token");
  if (claims === "below") {
    return principal === null ? refuse(claim, null, tokenRequired) : atOrBelow(claim, principal, "configured");
  }
  if (claim.principal !== null) return { principal: claim.principal, source: "claimed", identity: null, refused: null };
  if (principal !== null) return { principal, source: "configured", identity: principal, refused: null };
  return principals === "token" ? refuse(claim, null, tokenRequired) : nobody;
};

const nobody: Acting = Object.freeze({ principal: null, source: "claimed", identity: null, refused: null });

const atOrBelow = (claim: Claim, identity: string, source: PrincipalSource): Acting => {
  const { principal, parent_principal } = claim;
  const isForged =
    (principal !== null && !isAtOrBelow(principal, identity)) ||
    (parent_principal !== null && !isAtOrBelow(parent_principal, identity));
  if (isForged) return refuse(claim, identity, forged);
  return { principal: principal ?? identity, source, identity, refused: null };
};

const refuse = ({ principal }: Claim, identity: string | null, refused: IdentityRefusal): Acting => ({
  principal,
  source: "claimed",
  identity,
  refused,
});

const expired: IdentityRefusal = Object.freeze({
  code: "token_expired",
  reason: "the token of this connection has expired; connect with a fresh one",
});

const keyRevoked: IdentityRefusal = Object.freeze({
  code: "token_key_revoked",
  reason: "the key that signed the token of this connection is revoked or past its days",
});

const tokenRequired: IdentityRefusal = Object.freeze({
  code: "token_required",
  reason: "this daemon answers whoever shows a token in the hello; make one with interlock token issue",
});

const forged: IdentityRefusal = Object.freeze({
  code: "principal_forged",
  reason: "the event names a principal, or a parent, that is not the one of this connection nor below it",
});
