import type { PolicyDefinition, PolicyExample } from "../../rules/contracts/policy-definition.ts";
import type { Effect, ToolDefinition, ToolExample } from "../../rules/contracts/tool.ts";
import type { Resolvers, RuleSet } from "../../rules/types.ts";
import { type CompiledContents, principalsOf } from "./compile-contents.ts";
import { compileContract } from "./compile-contract.ts";
import { type CompiledPolicy, compilePolicy } from "./policies/compiled-policy.ts";
import { sayOf } from "./policies/policy-index.ts";
import type { Policies } from "./policy.ts";

/** What became of one example; `failure` is one line, null where it holds. */
export interface ContentsOutcome {
  readonly kind: "tool" | "policy";
  readonly id: string;
  readonly place: number;
  readonly failure: string | null;
}

/** Each example against its own tool or policy alone. Facts come from `given`. */
export const runContentsExamples = async (
  set: RuleSet,
  { policies, principals }: CompiledContents,
  now_ms: number,
): Promise<readonly ContentsOutcome[]> => {
  const outcomes: ContentsOutcome[] = [];
  for (const tool of set.tools)
    for (const [index, example] of tool.examples.entries())
      outcomes.push({
        kind: "tool",
        id: tool.name,
        place: index + 1,
        failure: await toolFailure(tool, example, set, now_ms),
      });
  const principal = principalsOf(principals);
  const effects = new Map(set.tools.map(({ name, effect }) => [name, effect]));
  for (const policy of policies) outcomes.push(...policyOutcomes(policy, principal, effects, now_ms));
  return outcomes;
};

const toolFailure = async (
  tool: ToolDefinition,
  example: ToolExample,
  set: RuleSet,
  now_ms: number,
): Promise<string | null> => {
  const { parse, check } = compileContract(
    { ...tool, resolvers: {} },
    { ...set, resolvers: givenTo(tool, set, example) },
  );
  const parsed = parse(example.args);
  if (!parsed.ok)
    return compared(
      example,
      "deny",
      parsed.errors.map(({ loc }) => loc),
    );
  const checked = check === null ? null : await check(parsed.args, now_ms);
  if (checked === null || checked.ok) return compared(example, "allow", []);
  return compared(example, "deny", checked.attributedTo === null ? [] : [checked.attributedTo]);
};

/** Every resolver that the tool could ask, answering from the example. */
const givenTo = (tool: ToolDefinition, set: RuleSet, { given = {} }: ToolExample): Resolvers =>
  Object.fromEntries(
    [...Object.keys(set.resolvers), ...Object.keys(tool.resolvers)].map((name) => {
      const facts = Object.hasOwn(given, name) ? given[name] : undefined;
      return [
        name,
        (key) => (facts !== undefined && Object.hasOwn(facts, String(key)) ? facts[String(key)] : undefined),
      ];
    }),
  );

const compared = (
  { expect, errors }: ToolExample,
  got: "allow" | "deny",
  refused: readonly string[],
): string | null => {
  const about = refused.length === 0 ? "" : ` for ${refused.join(", ")}`;
  if (got !== expect) return `expected ${expect}, got ${got}${about}`;
  if (errors === undefined || sorted(errors) === sorted(refused)) return null;
  return `expected errors at ${sorted(errors)}, got ${sorted(refused)}`;
};

const sorted = (locs: readonly string[]): string => [...locs].sort().join(", ");

const policyOutcomes = (
  definition: PolicyDefinition,
  principal: Policies["principal"],
  effects: Effects,
  now_ms: number,
): readonly ContentsOutcome[] => {
  const compiled = compilePolicy(definition, principal);
  return (definition.examples ?? []).map((example, index) => {
    const { roles } = example;
    const policy =
      roles === undefined ? compiled : compilePolicy(definition, () => ({ isNamed: true, roles, tenant: null }));
    const got = answerTo(policy, example, effects, now_ms);
    const failure = got === example.expect ? null : `expected ${example.expect}, got ${got}`;
    return { kind: "policy", id: definition.id, place: index + 1, failure };
  });
};

/** What the set's own contracts declare. */
type Effects = ReadonlyMap<string, Effect>;

const answerTo = (
  policy: CompiledPolicy,
  example: PolicyExample,
  effects: Effects,
  now_ms: number,
): PolicyExample["expect"] => {
  const action = example.action ?? (policy.definition.tools[0] as string);
  if (!policy.covers(action)) return "allow";
  const { kind } = sayOf(policy, {
    action,
    args: example.args,
    principal: example.principal ?? null,
    identity: null,
    parent_principal: null,
    effect: example.effect ?? effects.get(action) ?? null,
    now_ms: example.at === undefined ? now_ms : Date.parse(example.at),
  });
  return kind === "deny" ? "deny" : kind === "ask" ? "require_approval" : "allow";
};
