import type { DecisionDetails, Decision as WireDecision } from "../wire/decision.ts";
import type { WireObject, WireValue } from "../wire/value.ts";
import { Verdict, type VerdictName, verdictName } from "../wire/verdict.ts";

/** What a daemon, or any other engine, answered to an event. Frozen. */
export class Decision implements WireDecision {
  readonly verdict: Verdict;
  /** One line; never an argument's value. */
  readonly reason: string;
  readonly policy_id: string | null;
  /** The argument a refusal is about, by name or path. */
  readonly attributed_to: string | null;
  readonly modified_args: WireObject | null;
  /** Null means no replacement; `false`, `0` and `""` are replacements. */
  readonly modified_result: WireValue;
  readonly details: DecisionDetails | null;
  /** True where `modified_args` is the whole new argument object (feature `replace_args`), false where it is merged. */
  readonly replaces_args: boolean;

  constructor(fields: Partial<WireDecision>, replaces_args = false) {
    this.verdict = fields.verdict ?? Verdict.ALLOW;
    this.reason = fields.reason ?? "";
    this.policy_id = fields.policy_id ?? null;
    this.attributed_to = fields.attributed_to ?? null;
    this.modified_args = fields.modified_args ?? null;
    this.modified_result = fields.modified_result ?? null;
    this.details = fields.details ?? null;
    this.replaces_args = replaces_args;
    Object.freeze(this);
  }

  /** What is wrong with the arguments, field by field, where the tool's contract refused them; else empty. */
  get errors(): DecisionDetails["errors"] {
    return this.details?.errors ?? noErrors;
  }

  get verdictName(): VerdictName {
    return verdictName(this.verdict);
  }

  static allow(reason = "", policy_id: string | null = null): Decision {
    return new Decision({ reason, policy_id });
  }

  static block(reason: string, policy_id: string | null = null, attributed_to: string | null = null): Decision {
    return new Decision({ verdict: Verdict.BLOCK, reason, policy_id, attributed_to });
  }

  static modify(
    modified_args: WireObject,
    reason = "",
    policy_id: string | null = null,
    attributed_to: string | null = null,
  ): Decision {
    return new Decision({ verdict: Verdict.MODIFY, modified_args, reason, policy_id, attributed_to });
  }

  static modifyResult(
    modified_result: WireValue,
    reason = "",
    policy_id: string | null = null,
    attributed_to: string | null = null,
  ): Decision {
    return new Decision({ verdict: Verdict.MODIFY, modified_result, reason, policy_id, attributed_to });
  }

  static escalate(reason: string, policy_id: string | null = null, attributed_to: string | null = null): Decision {
    return new Decision({ verdict: Verdict.ESCALATE, reason, policy_id, attributed_to });
  }
}

const noErrors: DecisionDetails["errors"] = Object.freeze([]);

// A program that caught an error has the decision, and its class.
Object.freeze(Decision);
Object.freeze(Decision.prototype);
