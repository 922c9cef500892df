import type { RuleAnswer } from "../../rules/types.ts";
import { errorTypeName } from "./answer.ts";
import type { Denial } from "./judgement.ts";
import type { IndexedRule } from "./rule-index.ts";

/** What a rule said of itself; the policy is the rule where it names none. */
export const said = ({ rule }: IndexedRule, answer: Exclude<RuleAnswer, { kind: "allow" }>): Omit<Denial, "code"> => ({
  reason: answer.reason,
  policyId: answer.policyId === undefined ? rule.id : answer.policyId,
  attributedTo: answer.attributedTo,
});

/** A denial that the engine makes on a rule's account. */
export const denialBy = ({ rule }: IndexedRule, code: Denial["code"], what: string): Denial => ({
  code,
  reason: `rule ${rule.id} ${what}`,
  policyId: rule.id,
  attributedTo: null,
});

export const threw = (indexed: IndexedRule, error: unknown): Denial =>
  denialBy(indexed, "rule_threw", `failed, denied fail-closed: ${errorTypeName(error)}`);

export const overran = (indexed: IndexedRule): Denial =>
  denialBy(indexed, "rule_overran", `ran past its deadline of ${indexed.set.deadline_ms} ms`);
