import { compilePolicy } from "../contracts/policies/compiled-policy.ts";
import { policiesOf } from "../contracts/policies/policy-index.ts";
import type { LimitUse, Policies, PolicyCall, PolicyFinding } from "../contracts/policy.ts";
import type { LoadedScopes } from "./load.ts";
import type { Resolution } from "./resolve.ts";
import { scopeOf } from "./scope-path.ts";
import type { ScopeSaid, Scopes } from "./scopes.ts";

/** What is compiled is kept for so many scopes; of principals below one scope all share its own. */
const maxCompiled = 1024;

/**
 * A document ready to judge. A call costs a look for the deepest scope on its principal's path, and the policies that hold
 * there: how many scopes there are does not matter. @param principalOf what rule sets say of principals: their roles.
 */
export const compiledScopes = (
  { document, resolutions, instances, pin, not_after_ms }: LoadedScopes,
  principalOf: Policies["principal"],
): Scopes => {
  const compiled = new Map<string, Policies>();
  const isScope = (path: string): boolean => resolutions.has(path);
  const policiesIn = (scope: string): Policies => {
    const known = compiled.get(scope);
    // While nothing has to go, nobody's turn matters.
    if (known !== undefined && compiled.size < maxCompiled) return known;
    const policies = known ?? policiesOfScope(resolutions.get(scope) as Resolution);
    // The one that was asked last goes last.
    compiled.delete(scope);
    compiled.set(scope, policies);
    if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value as string);
    return policies;
  };
  const policiesOfScope = ({ holdings }: Resolution): Policies => {
    const boundAt = new Map<string, string>();
    const all = holdings.map((holding) => {
      const instance = instances.of(holding);
      if (!instance.ok) throw new Error("a scope that was checked does not hold together");
      boundAt.set(instance.definition.id, holding.boundAt);
      return compilePolicy(instance.definition, principalOf);
    });
    const policies = policiesOf(all, principalOf);
    return { ...policies, judge: (call) => countedApart(policies.judge(call), document.id, boundAt) };
  };
  const judge = (call: PolicyCall): ScopeSaid => {
    if (not_after_ms !== null && call.now_ms >= not_after_ms) return { kind: "expired", not_after_ms };
    const scope = scopeOf(call.principal, isScope);
    if (scope === null || resolutions.get(scope)?.holdings.length === 0) return { kind: "unknown", scope };
    return { kind: "judged", finding: policiesIn(scope).judge(call) };
  };
  return Object.freeze({ name: `${document.id}@${document.version}`, pin, judge });
};

/** A limit counts the calls of the scope that binds it, and of those below that inherit it. */
const countedApart = (
  finding: PolicyFinding,
  documentId: string,
  boundAt: ReadonlyMap<string, string>,
): PolicyFinding => {
  if (finding.limits.length === 0) return finding;
  const limits = finding.limits.map(
    (use): LimitUse =>
      Object.freeze({ ...use, counter: [documentId, boundAt.get(use.policyId) as string, ...use.counter] }),
  );
  return Object.freeze({ ...finding, limits: Object.freeze(limits) });
};
