/** The rule-writing SDK: `import { defineRules, block } from "interlock/rules"`. docs/rules.md shows its use. */
export { allow, block, escalate, rewrite, rewriteResult } from "./answers.ts";
export type { ActionOf, ContextOf, ResultEvent, RuleOf, RuleSetOf } from "./authoring.ts";
export { defineRule, defineRules, forTools, type ToolRules } from "./define.ts";
export { RuleDefinitionError } from "./definition-error.ts";
export { jsonTable } from "./json-table.ts";
export { type Remove, remove } from "./remove.ts";
export type {
  AllowAnswer,
  AnswerOptions,
  BlockAnswer,
  EscalateAnswer,
  Lookup,
  Resolver,
  Resolvers,
  RewriteAnswer,
  RewriteResultAnswer,
  Rule,
  RuleAnswer,
  RuleContext,
  RuleEvent,
  RuleExample,
  RuleSet,
} from "./types.ts";
