import type { ActionOf, AnyFacts, AnyTools, DefinedRule, PlainRuleSet, RuleOf, RuleSetOf } from "./authoring.ts";
import { checkRuleSet } from "./check.ts";
import type { RuleSet } from "./types.ts";

export interface ToolRules<Tools, Facts> {
  /** Checks a rule set strictly and freezes it. Throws `RuleDefinitionError` with one line. */
  defineRules<const Actions extends readonly ActionOf<Tools>[]>(set: RuleSetOf<Tools, Facts, Actions>): RuleSet;
  /** One rule, for a file of its own; any `defineRules` takes it as it is. */
  defineRule<const Action extends ActionOf<Tools>>(rule: RuleOf<Tools, Facts, Action>): DefinedRule;
}

/**
 * Names the tools a rule set is about, and what its resolvers return:
 * `const { defineRules } = forTools<{ refund: { order_id: string; amount: number } }>()`.
 */
export const forTools = <Tools extends object, Facts extends object = AnyFacts>(): ToolRules<Tools, Facts> => ({
  defineRules: (set) => checkRuleSet(set),
  defineRule: (rule) => rule as unknown as DefinedRule,
});

/** Checks a rule set strictly and freezes it; arguments are as on the wire. Throws `RuleDefinitionError` with one line. */
export const defineRules = (set: PlainRuleSet): RuleSet => checkRuleSet(set);

/** One rule, for a file of its own, with arguments as they are on the wire. */
export const { defineRule } = forTools<AnyTools>();
