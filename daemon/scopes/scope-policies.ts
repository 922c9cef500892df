import { type CompiledPolicy, compilePolicy, type PolicySaid } from "../contracts/policies/compiled-policy.ts";
import { policiesOf } from "../contracts/policies/policy-index.ts";
import type { Policies, PolicyCall } from "../contracts/policy.ts";
import type { CheckedScopes } from "./check.ts";
import type { Holding, Resolution } from "./resolve.ts";

/** The policies that hold in one scope, compiled. @param principalOf what rule sets say of principals: their roles. */
export const scopePolicies = (scope: string, checked: CheckedScopes, principalOf: Policies["principal"]): Policies => {
  const { document, instances } = checked;
  const resolution = checked.resolutions.get(scope) as Resolution;
  const budgets = resolution.holdings.flatMap(({ template }) => delegatedBudgets(resolution, template, checked));
  const compile = (holding: Holding): CompiledPolicy => {
    const instance = instances.of(holding);
    if (!instance.ok) throw new Error("a scope that was checked does not hold together");
    return countedAt(compilePolicy(instance.definition, principalOf), [document.id, holding.boundAt]);
  };
  return policiesOf([...resolution.holdings, ...budgets].map(compile), principalOf);
};

/** Whoever is delegated a limit spends of the delegator's as well: many delegates have no more than he has. */
const delegatedBudgets = (
  resolution: Resolution,
  template: string,
  { document, resolutions }: CheckedScopes,
): readonly Holding[] => {
  if (document.templates.get(template)?.policy.limit === undefined) return [];
  const found = new Map<string, Holding>();
  const follow = ({ delegators }: Resolution): void => {
    for (const path of delegators.get(template) ?? []) {
      const delegator = resolutions.get(path) as Resolution;
      const holding = delegator.holdings.find((one) => one.template === template) as Holding;
      if (found.has(holding.boundAt)) continue;
      found.set(holding.boundAt, holding);
      follow(delegator);
    }
  };
  follow(resolution);
  return [...found.values()];
};

/** A limit counts the calls of the scope that binds it, and of those below that inherit it. */
const countedAt = (policy: CompiledPolicy, at: readonly string[]): CompiledPolicy => {
  if (policy.definition.limit === undefined) return policy;
  const judge = (call: PolicyCall): PolicySaid => {
    const said = policy.judge(call);
    if (said.kind !== "limit") return said;
    return { kind: "limit", use: Object.freeze({ ...said.use, counter: [...at, ...said.use.counter] }) };
  };
  return Object.freeze({ ...policy, judge });
};
