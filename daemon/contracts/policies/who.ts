import type { PolicyWho } from "../../../rules/contracts/policy-definition.ts";
import type { Policies, PolicyCall } from "../policy.ts";
import { match, noMatch, type PolicyPart } from "./truth.ts";

/** Roles come from signed data alone. An unknown principal, or none, holds no role. */
export const whoPart = (who: PolicyWho, rolesOf: Policies["principal"]): PolicyPart => {
  const { principals, not_principals, roles, not_roles } = who;
  return Object.freeze({
    name: "who",
    test: ({ principal }: PolicyCall) => {
      const held = rolesOf(principal).roles;
      const holds =
        (principals === undefined || (principal !== null && principals.includes(principal))) &&
        (not_principals === undefined || principal === null || !not_principals.includes(principal)) &&
        (roles === undefined || roles.some((role) => held.includes(role))) &&
        !not_roles?.some((role) => held.includes(role));
      return holds ? match : noMatch;
    },
  });
};
