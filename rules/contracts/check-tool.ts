import { maxNameBytes } from "../../wire/limits.ts";
import type { JsonObject, WireObject } from "../../wire/value.ts";
import { RuleDefinitionError } from "../definition-error.ts";
import type { Resolver } from "../types.ts";
import { argumentPath } from "./argument-path.ts";
import {
  maxBoundsPerTool,
  maxExamplesPerTool,
  maxFresh_ms,
  maxLease_s,
  maxPathsPerTool,
  maxWait_ms,
  maxWindow_s,
} from "./limits.ts";
import type { Bounds, BoundTerms, FactRef, FactSource, IdempotencyTerms, ToolDefinition, ToolExample } from "./tool.ts";

/**
 * Parses what `defineTool` made: an unknown value becomes a frozen copy, or one `RuleDefinitionError`. `defineTool`
 * runs it in the rule set's own bundle, and the daemon runs its own copy again on what a module exports.
 */
export const checkTool = (value: unknown, where: string): ToolDefinition => {
  if (!plain(value) || value.kind !== "tool") return fail(where, "a tool must be what defineTool made");
  const name = toolName(value.name);
  const place = `tool ${name}`;
  if (typeof value.read !== "function") fail(place, "a tool must be what defineTool made");
  if (!plain(value.inputSchema)) fail(place, "its JSON Schema must be an object");
  return deepFrozen({
    kind: "tool",
    name,
    effect: oneOf(value.effect, ["read", "idempotent", "write"] as const, `${place}: effect`),
    idempotency: checkTerms(value.idempotency, place),
    lease_ms: whole(value.lease_ms, 1, maxLease_s * 1000, `${place}: lease_ms`),
    redact: paths(value.redact, `${place}: redact`),
    inputSchema: value.inputSchema as JsonObject,
    bounds: checkBounds(value.bounds, place),
    resolvers: checkSources(value.resolvers, place),
    examples: checkExamples(value.examples, place),
    read: value.read as ToolDefinition["read"],
  });
};

/** A tool is an action, exactly. */
export const toolName = (name: unknown): string => {
  if (typeof name !== "string" || name === "" || name.length > maxNameBytes || name.includes("*"))
    return fail("a tool", "its name must be an action, exactly, without a star");
  return name;
};

const checkTerms = (value: unknown, where: string): IdempotencyTerms => {
  const place = `${where}: idempotency`;
  if (!plain(value)) return fail(place, "must be an object");
  return {
    by: oneOf(value.by, ["arguments", "key", "fields", "off"] as const, `${place}: by`),
    paths: paths(value.paths, place),
    scope: oneOf(value.scope, ["principal", "tenant", "global"] as const, `${place}: scope`),
    window_ms: whole(value.window_ms, 1, maxWindow_s * 1000, `${place}: window_ms`),
    wait_ms: whole(value.wait_ms, 0, maxWait_ms, `${place}: wait_ms`),
  };
};

const boundKeys = ["min", "max", "minLength", "maxLength", "oneOf", "pattern", "equals"];
const mayBeFact = ["min", "max", "equals"];

const checkBounds = (value: unknown, where: string): Bounds => {
  if (!plain(value)) return fail(where, "bounds must be an object by argument path");
  const entries = Object.entries(value);
  if (entries.length > maxBoundsPerTool) fail(where, `more than ${maxBoundsPerTool} bounds`);
  return Object.fromEntries(
    entries.map(([path, terms]) => {
      const place = `${where}: bound on ${path}`;
      return [argumentPath(path, place).text, checkBound(terms, place)];
    }),
  );
};

const checkBound = (value: unknown, where: string): BoundTerms => {
  if (!plain(value) || Object.keys(value).length === 0) return fail(where, `must hold one of ${boundKeys.join(", ")}`);
  for (const [key, term] of Object.entries(value)) {
    if (!boundKeys.includes(key)) fail(where, `has an unknown key; known: ${boundKeys.join(", ")}`);
    if (mayBeFact.includes(key) && plain(term)) checkFact(term, `${where}: ${key}`);
    else if (key === "min" || key === "max") finite(term, `${where}: ${key}`);
    else if (key === "minLength" || key === "maxLength") whole(term, 0, 2 ** 31, `${where}: ${key}`);
    else if (key === "oneOf") {
      if (!Array.isArray(term) || term.length === 0 || !term.every(isScalar))
        fail(where, "oneOf must be a list of texts, numbers or booleans");
    } else if (key === "equals") {
      if (!isScalar(term)) fail(where, "equals must be a text, a number, a boolean or a fact");
    } else if (typeof term !== "string") fail(where, "pattern must be a text");
  }
  return { ...value } as BoundTerms;
};

const checkFact = (value: Record<string, unknown>, where: string): FactRef => {
  const { fact, key, path, ...more } = value;
  if (typeof fact !== "string" || fact === "" || Object.keys(more).length > 0)
    fail(where, "a fact is written { fact: RESOLVER, key: PATH, path: PATH }");
  argumentPath(key, `${where}: key`);
  argumentPath(path, `${where}: path`);
  if ((path as string).includes("[]")) fail(where, "a fact's path names one value");
  return value as unknown as FactRef;
};

const checkSources = (value: unknown, where: string): Readonly<Record<string, FactSource>> => {
  if (!plain(value)) return fail(where, "resolvers must be an object");
  return Object.fromEntries(
    Object.entries(value).map(([name, source]): [string, FactSource] => {
      if (!plain(source) || typeof source.fetch !== "function")
        return fail(where, `resolver ${name} must be a function or {fetch, fresh_ms}`);
      const fresh_ms = whole(source.fresh_ms, 0, maxFresh_ms, `${where}: resolver ${name}: fresh_ms`);
      return [name, { fetch: source.fetch as Resolver, fresh_ms }];
    }),
  );
};

const checkExamples = (value: unknown, where: string): readonly ToolExample[] => {
  if (!Array.isArray(value) || value.length > maxExamplesPerTool)
    return fail(where, `examples must be a list of at most ${maxExamplesPerTool}`);
  return value.map((example: unknown, index) => {
    const place = `${where}: example ${index + 1}`;
    if (!plain(example) || !plain(example.args)) return fail(place, "must hold args");
    for (const key of Object.keys(example))
      if (!["args", "given", "expect", "errors"].includes(key))
        fail(place, "has an unknown key; known: args, given, expect, errors");
    const expect = oneOf(example.expect, ["allow", "deny"] as const, `${place}: expect`);
    if (example.given !== undefined && (!plain(example.given) || !Object.values(example.given).every(plain)))
      fail(place, "given must hold facts by resolver name, then key");
    const { errors } = example;
    if (
      errors !== undefined &&
      (expect !== "deny" || !Array.isArray(errors) || !errors.every((loc) => typeof loc === "string"))
    )
      fail(place, "errors is a list of argument paths, and goes with expect: deny only");
    return { ...example, args: example.args as WireObject } as ToolExample;
  });
};

const fail = (where: string, what: string): never => {
  throw new RuleDefinitionError(`${where}: ${what}`);
};

const plain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

const oneOf = <const Name extends string>(value: unknown, names: readonly Name[], where: string): Name =>
  names.includes(value as Name) ? (value as Name) : fail(where, `must be ${names.join(", ")}`);

const finite = (value: unknown, where: string): number =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(where, "must be a finite number");

const whole = (value: unknown, least: number, most: number, where: string): number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
    ? (value as number)
    : fail(where, `must be a whole number from ${least} to ${most}`);

const paths = (value: unknown, where: string): readonly string[] => {
  if (!Array.isArray(value) || value.length > maxPathsPerTool)
    return fail(where, `must be a list of at most ${maxPathsPerTool} paths`);
  return value.map((path: unknown) => argumentPath(path, where).text);
};

const deepFrozen = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
};
