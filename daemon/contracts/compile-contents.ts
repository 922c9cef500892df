import type { PolicyDefinition, Principals } from "../../rules/contracts/policy-definition.ts";
import { RuleDefinitionError } from "../../rules/definition-error.ts";
import type { RuleSet } from "../../rules/types.ts";
import { compileContract } from "./compile-contract.ts";
import type { Contracts, ToolContract } from "./contract.ts";
import { noContracts } from "./none.ts";
import { type CompiledPolicy, compilePolicy } from "./policies/compiled-policy.ts";
import { parsePolicies, parsePrincipals } from "./policies/parse.ts";
import { policiesOf } from "./policies/policy-index.ts";
import { argumentProblem } from "./policies/tools-arguments.ts";
import type { Policies } from "./policy.ts";

/**
 * What rule sets hold beside rules, ready to judge. This module brings the schema library and the patterns' engine with
 * it, so it is imported by who has a set that holds any.
 */
export interface CompiledContents {
  readonly tools: readonly ToolContract[];
  readonly policies: readonly PolicyDefinition[];
  readonly principals: Principals;
}

/** Throws `RuleDefinitionError` with one line. */
export const compileContents = (set: RuleSet): CompiledContents => {
  const where = `rule set ${set.id}`;
  const contents = {
    tools: Object.freeze(set.tools.map((tool) => compileContract(tool, set))),
    policies: parsePolicies(set.policies, where),
    principals: parsePrincipals(set.principals, where),
  };
  const problem = argumentProblem(contents.policies, set.tools);
  if (problem !== null)
    throw new RuleDefinitionError(`${where}: ${["policies", ...problem.path].join(".")}: ${problem.what}`);
  return Object.freeze(contents);
};

/** The contracts of all sets; their names are known to differ. */
export const contractsOf = (tools: readonly ToolContract[]): Contracts => {
  if (tools.length === 0) return noContracts;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return Object.freeze({ of: (action: string) => byName.get(action) ?? null });
};

const nobody = Object.freeze({ isNamed: false, roles: Object.freeze([]), tenant: null });

/** What is said of principals; one that is not named has no roles and no tenant. */
export const principalsOf = (principals: Principals): Policies["principal"] => {
  const known = new Map(
    Object.entries(principals).map(([name, { roles = [], tenant = null }]) => [
      name,
      Object.freeze({ isNamed: true, roles: Object.freeze([...roles]), tenant }),
    ]),
  );
  return (name) => (name === null ? nobody : (known.get(name) ?? nobody));
};

/** Throws `RuleDefinitionError`. */
export const compilePolicies = (
  definitions: readonly PolicyDefinition[],
  principals: Principals,
): { readonly compiled: readonly CompiledPolicy[]; readonly policies: Policies } => {
  const principal = principalsOf(principals);
  const compiled = definitions.map((definition) => compilePolicy(definition, principal));
  return { compiled: Object.freeze(compiled), policies: policiesOf(compiled, principal) };
};
