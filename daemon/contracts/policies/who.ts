import type { PolicyWho } from "../../../rules/contracts/policy-definition.ts";
import type { Policies, PolicyCall } from "../policy.ts";
import { match, noMatch, type PolicyPart } from "./truth.ts";

/**
 * Roles come from signed data alone. An unknown principal, or none, holds no role. What is about somebody is about whoever acts below
 * him by his token too, or he would shed it by another name; what spares somebody spares who is named, and nobody below.
 */
export const whoPart = (who: PolicyWho, rolesOf: Policies["principal"]): PolicyPart => {
  const { principals, not_principals, roles, not_roles } = who;
  return Object.freeze({
    name: "who",
    test: ({ principal, identity }: PolicyCall) => {
      const held = rolesOf(principal).roles;
      const answeredFor = identity === null ? held : [...held, ...rolesOf(identity).roles];
      const isAmong = (names: readonly string[]) =>
        [principal, identity].some((name) => name !== null && names.includes(name));
      const holds =
        (principals === undefined || isAmong(principals)) &&
        (not_principals === undefined || principal === null || !not_principals.includes(principal)) &&
        (roles === undefined || roles.some((role) => answeredFor.includes(role))) &&
        !not_roles?.some((role) => held.includes(role));
      return holds ? match : noMatch;
    },
  });
};
