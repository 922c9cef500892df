import { nothingSaid } from "../contracts/none.ts";
import type { Policies, PolicyCall, PolicyFinding } from "../contracts/policy.ts";

/**
 * What do the policies say of the call? They see parsed, final arguments. Limits are read here and reserved later, in
 * the store transaction that authorizes, so that a call which is denied takes nothing. `judge` never throws: a policy
 * that fails denies.
 */
export const policyGate = (policies: Policies, call: PolicyCall): PolicyFinding =>
  policies.covers(call.action) ? policies.judge(call) : nothingSaid;
