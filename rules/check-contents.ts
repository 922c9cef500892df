import { canonical } from "../wire/canonical.ts";
import type { JsonObject, JsonValue } from "../wire/value.ts";
import { checkTool } from "./contracts/check-tool.ts";
import { maxToolsPerSet } from "./contracts/limits.ts";
import type { ToolDefinition } from "./contracts/tool.ts";
import { RuleDefinitionError } from "./definition-error.ts";
import { maxPoliciesPerSet, maxPrincipalsPerSet } from "./limits.ts";

/** What a set holds beside rules. */
export interface Contents {
  readonly tools: readonly ToolDefinition[];
  readonly policies: readonly JsonValue[];
  readonly principals: JsonObject;
}

/**
 * Tools are parsed here. Policies and principals are only shown to be data, copied and frozen: the daemon parses them
 * with a schema library that a rule set need not carry. Throws `RuleDefinitionError`.
 */
export const checkContents = (set: Record<string, unknown>, where: string): Contents => {
  const tools = listOf(set.tools, `${where}: tools`, maxToolsPerSet).map((tool) => checkTool(tool, where));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) fail(`${where}: tool ${name} is defined twice`);
    names.add(name);
  }
  const policies = listOf(set.policies, `${where}: policies`, maxPoliciesPerSet);
  const principals = set.principals ?? {};
  if (typeof principals !== "object" || principals === null || Array.isArray(principals))
    return fail(`${where}: principals must be an object of roles and tenants by principal`);
  if (Object.keys(principals).length > maxPrincipalsPerSet)
    fail(`${where}: more than ${maxPrincipalsPerSet} principals`);
  return {
    tools: Object.freeze(tools),
    policies: data(policies, `${where}: policies`) as readonly JsonValue[],
    principals: data(principals, `${where}: principals`) as JsonObject,
  };
};

const listOf = (value: unknown, what: string, max: number): readonly unknown[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fail(`${what} must be a list`);
  if (value.length > max) fail(`${what}: more than ${max}`);
  return value;
};

const data = (value: unknown, what: string): JsonValue => {
  try {
    return JSON.parse(canonical(value)) as JsonValue;
  } catch {
    return fail(`${what} must be data: texts, finite numbers, booleans, lists and objects of them`);
  }
};

const fail = (message: string): never => {
  throw new RuleDefinitionError(message);
};
