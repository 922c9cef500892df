import type { Contracts } from "./contract.ts";
import type { Policies, PolicyFinding } from "./policy.ts";

/** What a daemon has whose rule sets hold rules only. */
export const noContracts: Contracts = Object.freeze({ of: () => null });

export const nothingSaid: PolicyFinding = Object.freeze({
  answer: "SKIP",
  denial: null,
  needs: Object.freeze([]),
  limits: Object.freeze([]),
  said: Object.freeze([]),
});

const nobodyKnown = Object.freeze({ isNamed: false, roles: Object.freeze([]), tenant: null });

export const noPolicies: Policies = Object.freeze({
  covers: () => false,
  judge: () => nothingSaid,
  principal: () => nobodyKnown,
});
