/** The rule-writing SDK: `import { defineRules, block } from "interlock/rules"`. docs/rules.md shows its use. */
export { allow, block, escalate, rewrite, rewriteResult } from "./answers.ts";
export type {
  ActionOf,
  ContextOf,
  DefinedRule,
  PlainRule as Rule,
  PlainRuleSet,
  ResultEvent,
  RuleOf,
  RuleSetOf,
} from "./authoring.ts";
export { defineRule, defineRules, forTools, type ToolRules } from "./define.ts";
export { RuleDefinitionError } from "./definition-error.ts";
export { jsonTable } from "./json-table.ts";
export { type Remove, remove } from "./remove.ts";
export type {
  AllowAnswer,
  AnswerOptions,
  BlockAnswer,
  EscalateAnswer,
  Resolver,
  Resolvers,
  RewriteAnswer,
  RewriteResultAnswer,
  RuleAnswer,
  RuleEvent,
  RuleExample,
  RuleSet,
} from "./types.ts";
