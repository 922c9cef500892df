import { maxNameBytes } from "../wire/limits.ts";
import { actionMatches } from "./action-pattern.ts";
import { checkContents } from "./check-contents.ts";
import { RuleDefinitionError } from "./definition-error.ts";
import {
  defaultDeadline_ms,
  maxActionsPerRule,
  maxDeadline_ms,
  maxExamplesPerRule,
  maxResolversPerSet,
  maxRuleIdBytes,
  maxRulesPerSet,
} from "./limits.ts";
import type { Resolver, Resolvers, Rule, RuleExample, RuleSet } from "./types.ts";

/**
 * Parses a rule set: an unknown value becomes a frozen copy that cannot be half valid, or one `RuleDefinitionError`.
 * `defineRules` runs it in the rule set's own bundle, and the daemon runs its own copy again on what a module exports.
 */
export const checkRuleSet = (value: unknown): RuleSet => {
  const set = record(value, "a rule set", [
    "id",
    "version",
    "rules",
    "tools",
    "policies",
    "principals",
    "resolvers",
    "deadline_ms",
  ]);
  const id = identifier(set.id, "a rule set's id");
  const where = `rule set ${id}`;
  if (!Number.isSafeInteger(set.version) || (set.version as number) < 1)
    fail(`${where}: version must be a whole number from 1`);
  const contents = checkContents(set, where);
  const hasRules = set.rules !== undefined && !(Array.isArray(set.rules) && set.rules.length === 0);
  if (!hasRules && contents.tools.length === 0 && contents.policies.length === 0)
    throw new RuleDefinitionError(`${where}: no rules; an empty set would judge nothing, so it is refused`, "empty");
  const seen = new Set<string>();
  const rules = hasRules
    ? list(set.rules, `${where}: rules`, maxRulesPerSet).map((rule) => checkRule(rule, where, seen))
    : [];
  return Object.freeze({
    id,
    version: set.version as number,
    rules: Object.freeze(rules),
    ...contents,
    resolvers: checkResolvers(set.resolvers, where),
    deadline_ms: checkDeadline(set.deadline_ms, where),
  });
};

const checkRule = (value: unknown, set: string, seen: Set<string>): Rule => {
  const rule = record(value, `${set}: a rule`, ["id", "actions", "phase", "evaluate", "examples"]);
  const id = identifier(rule.id, `${set}: a rule's id`);
  const where = `${set}: rule ${id}`;
  if (seen.has(id)) fail(`${where}: its id is used twice; ids are unique in a set`);
  seen.add(id);
  if (rule.phase !== "call" && rule.phase !== "result") fail(`${where}: phase must be "call" or "result"`);
  const phase = rule.phase as Rule["phase"];
  if (typeof rule.evaluate !== "function") fail(`${where}: evaluate must be a function`);
  const actions = list(rule.actions, `${where}: actions`, maxActionsPerRule).map((action) =>
    checkAction(action, where),
  );
  const examples = list(rule.examples, `${where}: examples`, maxExamplesPerRule).map((example, place) =>
    checkExample(example, `${where}: example ${place + 1}`, actions, phase),
  );
  return Object.freeze({
    id,
    actions: Object.freeze(actions),
    phase,
    evaluate: rule.evaluate as Rule["evaluate"],
    examples: Object.freeze(examples),
  });
};

const checkAction = (action: unknown, where: string): string => {
  if (typeof action !== "string" || action === "") fail(`${where}: an action must be a non-empty string`);
  const name = action as string;
  if (name.length > maxNameBytes) fail(`${where}: an action is longer than ${maxNameBytes} characters`);
  const stem = name === "*" ? "" : name.endsWith(".*") && name.length > 2 ? name.slice(0, -2) : name;
  if (stem.includes("*")) fail(`${where}: an action is an exact name, "prefix.*" or "*"; no other place for a star`);
  return name;
};

const checkExample = (value: unknown, where: string, actions: readonly string[], phase: Rule["phase"]): RuleExample => {
  const example = record(value, where, ["event", "given", "expect", "becomes"]);
  const event = record(example.event, `${where}: event`, ["action", "args", "phase", "principal", "parent_principal"]);
  if (typeof event.action !== "string" || !actions.some((pattern) => actionMatches(pattern, event.action as string)))
    fail(`${where}: the rule's actions do not match the event's action`);
  if (!plain(event.args)) fail(`${where}: event.args must be an object`);
  if (event.phase !== undefined && event.phase !== phase) fail(`${where}: event.phase is not the rule's phase`);
  for (const key of ["principal", "parent_principal"])
    if (event[key] !== undefined && typeof event[key] !== "string") fail(`${where}: event.${key} must be a string`);
  if (!["allow", "block", "rewrite", "escalate", "silent"].includes(example.expect as string))
    fail(`${where}: expect must be allow, block, rewrite, escalate or silent`);
  if (example.becomes !== undefined && example.expect !== "rewrite")
    fail(`${where}: becomes goes with expect: "rewrite" only`);
  if (phase === "result" && example.expect === "escalate") fail(`${where}: a result is never escalated`);
  if (example.given !== undefined && (!plain(example.given) || !Object.values(example.given).every(plain)))
    fail(`${where}: given must hold facts by resolver name, then key`);
  return deepFreeze({ ...example }) as unknown as RuleExample;
};

const checkResolvers = (value: unknown, where: string): Resolvers => {
  if (value === undefined) return Object.freeze({});
  if (!plain(value)) fail(`${where}: resolvers must be an object of functions`);
  const entries = Object.entries(value as object);
  if (entries.length > maxResolversPerSet) fail(`${where}: more than ${maxResolversPerSet} resolvers`);
  const checked = entries.map(([name, resolver]): [string, Resolver] => {
    identifier(name, `${where}: a resolver's name`);
    if (typeof resolver !== "function") fail(`${where}: resolver ${name} must be a function`);
    // An argument that is not there names no fact.
    return [name, (key) => (key === undefined ? undefined : (resolver as Resolver)(key))];
  });
  return Object.freeze(Object.fromEntries(checked));
};

const checkDeadline = (value: unknown, where: string): number => {
  if (value === undefined) return defaultDeadline_ms;
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > maxDeadline_ms)
    fail(`${where}: deadline_ms must be a whole number from 1 to ${maxDeadline_ms}`);
  return value as number;
};

const fail = (message: string): never => {
  throw new RuleDefinitionError(message);
};

const plain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

const record = (value: unknown, what: string, keys: readonly string[]): Record<string, unknown> => {
  if (!plain(value)) return fail(`${what} must be an object`);
  for (const key of Object.keys(value))
    if (!keys.includes(key))
      fail(`${what} has an unknown key ${JSON.stringify(key).slice(0, 80)}; known: ${keys.join(", ")}`);
  return value;
};

const list = (value: unknown, what: string, max: number): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0) return fail(`${what} must be a list of at least one`);
  if (value.length > max) fail(`${what} has more than ${max} entries`);
  return value;
};

const identifier = (value: unknown, what: string): string => {
  if (typeof value !== "string" || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(value) || value.length > maxRuleIdBytes)
    return fail(`${what} must be 1 to ${maxRuleIdBytes} letters, digits, dots, dashes or underscores`);
  return value;
};

const deepFreeze = <Value>(value: Value): Value => {
  // Typed arrays cannot be frozen; bytes in an example are handed to the rule as a copy.
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
};
