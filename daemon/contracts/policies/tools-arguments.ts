import { argumentPath } from "../../../rules/contracts/argument-path.ts";
import type { PolicyCondition, PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import { placeOf } from "../../../rules/contracts/schema-place.ts";
import type { ToolDefinition } from "../../../rules/contracts/tool.ts";
import type { Problem } from "./issue.ts";

type Tool = Pick<ToolDefinition, "name" | "inputSchema">;
type Steps = Problem["path"];

/** One argument that a policy reads, where it says so, and of which types it must be. */
interface Reading {
  readonly at: Steps;
  readonly argument: string;
  readonly types: readonly string[];
  /** It is the argument of some of the tools: the policy says what it means that another has none. */
  readonly isOfSome: boolean;
}

/**
 * What a policy reads of the tools that it names and that have a contract here. A path that no such tool has is a
 * misspelt one: it would deny every call of the tool, or with `missing: no_match` be about none.
 */
export const argumentProblem = (policies: readonly PolicyDefinition[], tools: readonly Tool[]): Problem | null => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  for (const [index, policy] of policies.entries()) {
    const names = policy.tools.filter((name) => !(policy.except ?? []).includes(name));
    const known = names.flatMap((name) => byName.get(name) ?? []);
    for (const reading of readingsOf(policy)) {
      const wrong = known.map((tool) => wrongOf(tool, reading)).filter((what) => what !== null);
      const [first] = wrong;
      if (first !== undefined && (!reading.isOfSome || wrong.length === names.length))
        return { path: [index, ...reading.at], what: first };
    }
    for (const [at, example] of (policy.examples ?? []).entries()) {
      const tool = byName.get(example.action ?? policy.tools[0] ?? "");
      const stray = Object.keys(example.args).find((name) => tool !== undefined && !namesOf(tool).includes(name));
      if (tool !== undefined && stray !== undefined)
        return { path: [index, "examples", at, "args", stray], what: noSuch(tool) };
    }
  }
  return null;
};

const scalars = ["string", "number", "integer", "boolean", "null"];
const numbers = ["number", "integer"];

const readingsOf = ({ when = {}, limit, approval }: PolicyDefinition): readonly Reading[] => {
  const readings = Object.entries(when).flatMap(([argument, condition]): Reading[] =>
    typesOf(condition).map(([key, types]) => ({
      at: ["when", argument, ...key],
      argument,
      types,
      isOfSome: (condition.missing ?? "deny") !== "deny",
    })),
  );
  const read = (at: Steps, argument: string, types: readonly string[]) =>
    readings.push({ at, argument, types, isOfSome: false });
  if (limit?.sum !== undefined) read(["limit", "sum"], limit.sum, numbers);
  if (limit?.distinct !== undefined && limit.distinct !== "destination")
    read(["limit", "distinct"], limit.distinct, [...scalars, "array"]);
  if (limit?.volume !== undefined && limit.volume !== "arguments") read(["limit", "volume"], limit.volume, any);
  for (const [at, per] of (limit?.per ?? []).entries())
    if (per.startsWith("args.")) read(["limit", "per", at], per.slice("args.".length), scalars);
  for (const [at, scope] of (approval?.scopes ?? []).entries())
    if (typeof scope === "object")
      for (const [inner, path] of scope.shape.entries()) read(["approval", "scopes", at, "shape", inner], path, any);
  return readings;
};

const any: readonly string[] = [];

type Typed = readonly [key: Steps, types: readonly string[]];

const typesOf = (condition: PolicyCondition): readonly Typed[] => [
  [[], any],
  ...(["gt", "gte", "lt", "lte"] as const).filter((key) => key in condition).map((key): Typed => [[key], numbers]),
  ...(["eq", "ne"] as const).flatMap((key) => typeOf([key], condition[key])),
  ...(["in", "not_in"] as const).flatMap((key) =>
    (condition[key] ?? []).flatMap((value, at) => typeOf([key, at], value)),
  ),
  ...(["pattern", "not_pattern"] as const).filter((key) => key in condition).map((key): Typed => [[key], ["string"]]),
  ...(["minLength", "maxLength"] as const)
    .filter((key) => key in condition)
    .map((key): Typed => [[key], ["string", "array"]]),
];

/** Nothing is converted, so a value of another type than the argument's equals none. */
const typeOf = (key: Steps, value: PolicyCondition["eq"]): readonly Typed[] => {
  if (value === undefined) return [];
  if (value === null) return [[key, scalars]];
  return [[key, typeof value === "number" ? numbers : [typeof value]]];
};

const wrongOf = (tool: Tool, { argument, types }: Reading): string | null => {
  const place = placeOf(tool.inputSchema, argumentPath(argument, ""));
  if (place === null) return noSuch(tool);
  const type = place.node?.type;
  if (types.length === 0 || typeof type !== "string" || types.includes(type)) return null;
  return `${argument} of ${tool.name} is of type ${type}; this reads ${types.slice(0, 2).join(" or ")}`;
};

const noSuch = (tool: Tool): string =>
  `${tool.name} has no such argument; it has ${namesOf(tool).join(", ").slice(0, 200)}`;

const namesOf = ({ inputSchema: { properties } }: Tool): readonly string[] =>
  typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
