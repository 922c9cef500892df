import type { ActionOf, AnyFacts, AnyTools, RuleOf, RuleSetOf } from "./authoring.ts";
import { checkRuleSet } from "./check.ts";
import type { Rule, RuleSet } from "./types.ts";

export interface ToolRules<Tools, Facts> {
  /** Checks a rule set strictly and freezes it. Throws `RuleDefinitionError` with one line. */
  defineRules<const Actions extends readonly ActionOf<Tools>[]>(set: RuleSetOf<Tools, Facts, Actions>): RuleSet;
  /** One rule, for a file of its own; `defineRules` takes it as it is. */
  defineRule<const Action extends ActionOf<Tools>>(rule: RuleOf<Tools, Facts, Action>): Rule;
}

/**
 * Names the tools a rule set is about, and what its resolvers return:
 * `const { defineRules } = forTools<{ refund: { order_id: string; amount: number } }>()`.
 */
export const forTools = <Tools extends object, Facts extends object = AnyFacts>(): ToolRules<Tools, Facts> => ({
  defineRules: (set) => checkRuleSet(set),
  defineRule: (rule) => rule as unknown as Rule,
});

/** `defineRules` and `defineRule` for any action, with arguments as they are on the wire. */
export const { defineRules, defineRule } = forTools<AnyTools>();
