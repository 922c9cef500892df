import { nothingSaid } from "../contracts/none.ts";
import type { PolicyCall, PolicyFinding } from "../contracts/policy.ts";
import type { Denial } from "../engine/judgement.ts";
import type { Scopes } from "../scopes/scopes.ts";

/** `finding` is there where somebody looked, also beside a denial: the trace tells what each template said. */
export interface ScopeAnswer {
  readonly denial: Denial | null;
  readonly finding: PolicyFinding;
}

/**
 * What does the scope document say of whoever acts? Like policies it only narrows. A principal that it does not know is
 * blocked: who is not written down was not granted anything.
 */
export const scopeGate = (scopes: Scopes, call: PolicyCall): ScopeAnswer => {
  const said = scopes.judge(call);
  switch (said.kind) {
    case "expired":
      return denied("scope_expired", "the scope document has expired; a newer one has to be signed and served");
    case "unknown":
      return denied(
        "scope_unknown",
        said.scope === null
          ? "the scope document has no scope on the path of this principal"
          : "the scope document binds nothing in the scope of this principal",
      );
    case "judged": {
      const { finding } = said;
      const { denial } = finding;
      return { denial: denial === null ? null : { code: "policy_denied", ...denial }, finding };
    }
  }
};

const denied = (code: Denial["code"], reason: string): ScopeAnswer => ({
  denial: Object.freeze({ code, reason, policyId: null, attributedTo: null }),
  finding: nothingSaid,
});
