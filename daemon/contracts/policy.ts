import type { Effect } from "../../rules/contracts/tool.ts";
import type { JsonValue, WireObject } from "../../wire/value.ts";

/** A call as policies judge it: parsed arguments, the daemon's clock. */
export interface PolicyCall {
  readonly action: string;
  readonly args: WireObject;
  /** Who acts. */
  readonly principal: string | null;
  /** Whom the connection is bound to: he may act as anybody below him, and answers for it. Null where nobody is bound. */
  readonly identity: string | null;
  readonly parent_principal: string | null;
  /** What a signed contract declares the tool to do; null where none is about it. Nothing that the tool says of itself counts. */
  readonly effect: Effect | null;
  readonly now_ms: number;
}

/** What a grant may be for. `shape`: any call of this tool by this principal whose named arguments are equal. */
export type ApprovalScope =
  | { readonly kind: "once" }
  | { readonly kind: "exact" }
  | { readonly kind: "shape"; readonly paths: readonly string[] };

/** A yes that is needed before the call may run. Each need is satisfied on its own. */
export interface ApprovalNeed {
  readonly policyId: string | null;
  readonly reason: string;
  readonly attributedTo: string | null;
  readonly by: "client" | "operator";
  /** An approver holds one of these; empty where any operator will do. */
  readonly roles: readonly string[];
  /** How many different operators. */
  readonly count: number;
  /** How long the request stays open, and a grant for `once` may be used. */
  readonly expires_ms: number;
  /** The scopes that a grant may have; `once` is always one of them. */
  readonly scopes: readonly ApprovalScope[];
}

/** A windowed limit that this call takes part in. */
export interface LimitUse {
  readonly policyId: string;
  readonly reason: string;
  readonly attributedTo: string | null;
  /** What is counted together: the policy's id and the values it counts per. Hashed before it is stored. */
  readonly counter: readonly JsonValue[];
  readonly window_ms: number;
  /** The sum of `amount` over the window, or the number of different values, this call included, must not exceed it. */
  readonly max: number;
  /** 1 for a count; the argument's value for a sum; bytes of a volume; how many values of `distinct`. Finite, never negative. */
  readonly amount: number;
  /** Null, or the values of this call of which at most `max` may differ over the window. Hashed before they are stored. */
  readonly distinct: readonly JsonValue[] | null;
}

/** What policies say of a call. A deny wins over everything; needs and limits matter only without one. */
export interface PolicyFinding {
  /** ALLOW: at least one policy is about this call, and none denied or asked. SKIP: none is about it. */
  readonly answer: "ALLOW" | "DENY" | "REQUIRE_APPROVAL" | "SKIP";
  readonly denial: {
    readonly policyId: string;
    readonly reason: string;
    readonly attributedTo: string | null;
  } | null;
  readonly needs: readonly ApprovalNeed[];
  readonly limits: readonly LimitUse[];
  /** What each policy said, in order, for the trace: `["refund.ceiling", "DENY"]`; shadow ones as `SHADOW_DENY`, `SHADOW_REQUIRE_APPROVAL`. */
  readonly said: readonly (readonly [policyId: string, answer: PolicyAnswer])[];
}

export type PolicyAnswer = "ALLOW" | "DENY" | "REQUIRE_APPROVAL" | "SHADOW_DENY" | "SHADOW_REQUIRE_APPROVAL";

export interface PrincipalTraits {
  readonly isNamed: boolean;
  readonly roles: readonly string[];
  readonly tenant: string | null;
}

/** All policies of all loaded rule sets. */
export interface Policies {
  /** Is any policy about this action? Answered from an index: most calls of most daemons ask only this. */
  covers(action: string): boolean;
  /** Never throws. */
  judge(call: PolicyCall): PolicyFinding;
  /** What the signed data says of a principal; one that it does not name has no roles and no tenant. */
  principal(name: string | null): PrincipalTraits;
}
