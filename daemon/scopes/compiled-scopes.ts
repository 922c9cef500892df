import type { Policies, PolicyCall } from "../contracts/policy.ts";
import type { LoadedScopes } from "./load.ts";
import { scopeOf } from "./scope-path.ts";
import { scopePolicies } from "./scope-policies.ts";
import type { ScopeSaid, Scopes } from "./scopes.ts";

/** What is compiled is kept for so many scopes; of principals below one scope all share its own. */
const maxCompiled = 1024;

/**
 * A document ready to judge. A call costs a look for the deepest scope on its principal's path, and the policies that hold
 * there: how many scopes there are does not matter. @param principalOf what rule sets say of principals: their roles.
 */
export const compiledScopes = (loaded: LoadedScopes, principalOf: Policies["principal"]): Scopes => {
  const { document, resolutions, pin, not_after_ms } = loaded;
  const compiled = new Map<string, Policies>();
  const isScope = (path: string): boolean => resolutions.has(path);
  // Whoever has a scope of his own is named by signed data, and counts for himself.
  const traitsOf: Policies["principal"] = (name) => {
    const traits = principalOf(name);
    return traits.isNamed || name === null || !isScope(name) ? traits : { ...traits, isNamed: true };
  };
  const policiesIn = (scope: string): Policies => {
    const known = compiled.get(scope);
    // While nothing has to go, nobody's turn matters.
    if (known !== undefined && compiled.size < maxCompiled) return known;
    const policies = known ?? scopePolicies(scope, loaded, traitsOf);
    // The one that was asked last goes last.
    compiled.delete(scope);
    compiled.set(scope, policies);
    if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value as string);
    return policies;
  };
  const judge = (call: PolicyCall): ScopeSaid => {
    if (not_after_ms !== null && call.now_ms >= not_after_ms) return { kind: "expired", not_after_ms };
    const scope = scopeOf(call.principal, isScope);
    if (scope === null || resolutions.get(scope)?.holdings.length === 0) return { kind: "unknown", scope };
    return { kind: "judged", finding: policiesIn(scope).judge(call) };
  };
  return Object.freeze({ name: `${document.id}@${document.version}`, pin, judge });
};
