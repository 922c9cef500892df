import { nothingSaid } from "../contracts/none.ts";
import type { Policies, PolicyCall, PolicyFinding } from "../contracts/policy.ts";
import { errorTypeName } from "../engine/answer.ts";

/**
 * What do the policies say of the call? They see parsed, final arguments. Limits are read here and reserved later, in
 * the store transaction that authorizes, so that a call which is denied takes nothing.
 */
export const policyGate = (policies: Policies, call: PolicyCall): PolicyFinding => {
  if (!policies.covers(call.action)) return nothingSaid;
  try {
    return policies.judge(call);
  } catch (error) {
    // `judge` never throws. Should it all the same, nobody knows what it would have denied.
    const reason = `policies failed, denied fail-closed: ${errorTypeName(error)}`;
    const denial = { policyId: "policies", reason, attributedTo: null };
    return Object.freeze({ answer: "DENY", denial, needs: [], limits: [], said: [] });
  }
};
