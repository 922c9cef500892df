import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import type { PolicyCall } from "../policy.ts";
import { match, noMatch, type PolicyPart } from "./truth.ts";

type Effects = PolicyDefinition["effects"];

/** What signed contracts declare, and nothing that a tool says of itself. A tool without a contract does none of them. */
export const effectPart = (effects: Effects, not_effects: Effects): PolicyPart =>
  Object.freeze({
    name: effects === undefined ? "not_effects" : not_effects === undefined ? "effects" : "effects and not_effects",
    test: ({ effect }: PolicyCall) => {
      const isOne = effects === undefined || (effect !== null && effects.includes(effect));
      const isNone = not_effects === undefined || effect === null || !not_effects.includes(effect);
      return isOne && isNone ? match : noMatch;
    },
  });
