import { errorTypeName } from "../../engine/answer.ts";
import { nothingSaid } from "../none.ts";
import type { ApprovalNeed, LimitUse, Policies, PolicyAnswer, PolicyCall, PolicyFinding } from "../policy.ts";
import type { CompiledPolicy, PolicySaid } from "./compiled-policy.ts";

/**
 * Policies by action. An action that none names is looked up by the closest namespace that one names, so the table is
 * finite whatever an attacker asks for.
 */
export const policiesOf = (compiled: readonly CompiledPolicy[], principal: Policies["principal"]): Policies => {
  const index = new PolicyIndex(compiled);
  return Object.freeze({
    covers: (action: string) => index.of(action).length > 0,
    judge: (call: PolicyCall) => judge(index.of(call.action), call),
    principal,
  });
};

class PolicyIndex {
  readonly #named = new Map<string, readonly CompiledPolicy[]>();
  readonly #byNamespace = new Map<string, readonly CompiledPolicy[]>();

  constructor(policies: readonly CompiledPolicy[]) {
    const select = (action: string) => Object.freeze(policies.filter((policy) => policy.covers(action)));
    const names = policies.flatMap(({ definition }) => [...definition.tools, ...(definition.except ?? [])]);
    // A control character is in no action that is named: it stands for all others below its namespace.
    this.#byNamespace.set("*", select("\u0000"));
    for (const name of new Set(names)) {
      if (name === "*") continue;
      if (name.endsWith(".*")) this.#byNamespace.set(name, select(`${name.slice(0, -1)}\u0000`));
      else this.#named.set(name, select(name));
    }
  }

  of(action: string): readonly CompiledPolicy[] {
    const named = this.#named.get(action);
    if (named !== undefined) return named;
    for (let dot = action.lastIndexOf("."); dot > 0; dot = action.lastIndexOf(".", dot - 1)) {
      const found = this.#byNamespace.get(`${action.slice(0, dot)}.*`);
      if (found !== undefined) return found;
    }
    return this.#byNamespace.get("*") as readonly CompiledPolicy[];
  }
}

/**
 * Every policy is asked, also after one has denied: what a shadow one would have said is recorded, and the order in
 * which they are written does not matter. A deny wins.
 */
const judge = (policies: readonly CompiledPolicy[], call: PolicyCall): PolicyFinding => {
  if (policies.length === 0) return nothingSaid;
  let denial: PolicyFinding["denial"] = null;
  const needs: ApprovalNeed[] = [];
  const limits: LimitUse[] = [];
  const said: (readonly [string, PolicyAnswer])[] = [];
  let isEnforced = false;
  for (const policy of policies) {
    const { id, shadow } = policy.definition;
    const one = sayOf(policy, call);
    const answer = one.kind === "deny" ? "DENY" : one.kind === "ask" ? "REQUIRE_APPROVAL" : "ALLOW";
    said.push([id, shadow === true && answer !== "ALLOW" ? `SHADOW_${answer}` : answer]);
    if (shadow === true) continue;
    isEnforced = true;
    if (one.kind === "deny") denial ??= { policyId: id, reason: one.reason, attributedTo: one.attributedTo };
    else if (one.kind === "ask") needs.push(one.need);
    else if (one.kind === "limit") limits.push(one.use);
  }
  const passed = isEnforced ? "ALLOW" : "SKIP";
  const answer = denial !== null ? "DENY" : needs.length > 0 ? "REQUIRE_APPROVAL" : passed;
  return Object.freeze({ answer, denial, needs, limits, said });
};

/** A policy that fails denies; the error's message may quote an argument, its type does not. */
export const sayOf = (policy: CompiledPolicy, call: PolicyCall): PolicySaid => {
  try {
    return policy.judge(call);
  } catch (error) {
    const reason = `policy ${policy.definition.id} failed, denied fail-closed: ${errorTypeName(error)}`;
    return { kind: "deny", reason, attributedTo: null };
  }
};
