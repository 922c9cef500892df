import { z } from "zod";
import { deepFreeze } from "../../wire/freeze.ts";
import type { JsonObject, WireObject } from "../../wire/value.ts";
import { RuleDefinitionError } from "../definition-error.ts";
import type { Resolver } from "../types.ts";
import { argumentPath } from "./argument-path.ts";
import { advertised, staticBounds } from "./bounds.ts";
import { checkTool, toolName } from "./check-tool.ts";
import { isFactRef } from "./fact-ref.ts";
import { fieldErrors } from "./field-errors.ts";
import { type IdempotencyOptions, idempotencyTerms } from "./idempotency-terms.ts";
import { defaultLease_s, maxLease_s } from "./limits.ts";
import { placeOf } from "./schema-place.ts";
import { isSchema, refuseLooseSchema } from "./strict-schema.ts";
import type { Bounds, BoundTerms, Effect, FactRef, FactSource, ToolDefinition, ToolExample } from "./tool.ts";

/** What `defineTool` takes. */
export interface ToolOptions<Schema extends z.ZodType = z.ZodType> {
  /** The action, exactly. */
  readonly name: string;
  /** A `z.strictObject`. What is advertised, and what is enforced. */
  readonly args: Schema;
  readonly effect: Effect;
  readonly idempotency?: IdempotencyOptions;
  /** Where facts come from, by name: a function of a key, with or without a time for which its answer holds. */
  readonly resolvers?: Readonly<Record<string, Resolver | { readonly fetch: Resolver; readonly fresh_ms?: number }>>;
  /** By argument path. */
  readonly bounds?: Readonly<Record<string, Omit<BoundTerms, "pattern"> & { readonly pattern?: string | RegExp }>>;
  /** How long a call may be under way before its outcome counts as unknown. Default 300. */
  readonly lease_s?: number;
  /** Arguments whose values an operator is not shown, by path. */
  readonly redact?: readonly string[];
  readonly examples?: readonly ToolExample[];
}

const optionNames = ["name", "args", "effect", "idempotency", "resolvers", "bounds", "lease_s", "redact", "examples"];

/**
 * What one tool promises. The schema is judged once, here: what strips, coerces, transforms or has no JSON Schema is
 * refused, and so is a pattern that could take more than linear time. Throws `RuleDefinitionError` with one line.
 */
export const defineTool = <Schema extends z.ZodType>(options: ToolOptions<Schema>): ToolDefinition => {
  const name = toolName(options?.name);
  const where = `tool ${name}`;
  for (const key of Object.keys(options))
    if (!optionNames.includes(key))
      fail(where, `has an unknown key ${key.slice(0, 80)}; known: ${optionNames.join(", ")}`);
  if (!isSchema(options.args)) fail(where, "args must be a z.strictObject({...})");
  const schema: z.ZodType = options.args;
  refuseLooseSchema(schema, where);
  const plain = jsonSchemaOf(schema, where);
  const bounds = boundsOf(options.bounds ?? {}, where);
  const definition: ToolDefinition = {
    kind: "tool",
    name,
    effect: options.effect,
    idempotency: idempotencyTerms(options.idempotency ?? {}, options.effect, where),
    lease_ms: leaseOf(options.lease_s ?? defaultLease_s, where),
    redact: options.redact ?? [],
    inputSchema: withBounds(plain, bounds, where),
    bounds,
    resolvers: sourcesOf(options.resolvers ?? {}, where),
    examples: options.examples ?? [],
    read: (args: WireObject) => {
      const read = schema.safeParse(args);
      return read.success
        ? { ok: true, value: read.data }
        : { ok: false, errors: fieldErrors(read.error.issues, args) };
    },
  };
  const checked = checkTool(definition, where);
  refuseUnknownPaths(checked, plain, where);
  return checked;
};

const fail = (where: string, what: string): never => {
  throw new RuleDefinitionError(`${where}: ${what}`);
};

const jsonSchemaOf = (schema: z.ZodType, where: string): JsonObject => {
  try {
    const made = z.toJSONSchema(schema, { target: "draft-2020-12", io: "input", unrepresentable: "throw" });
    // Through text: what is advertised is JSON, and nothing of zod's own.
    return deepFreeze(JSON.parse(JSON.stringify(made)) as JsonObject);
  } catch {
    return fail(where, "args have no JSON Schema");
  }
};

const boundsOf = (given: NonNullable<ToolOptions["bounds"]>, where: string): Bounds =>
  Object.fromEntries(
    Object.entries(given).map(([path, { pattern, ...terms }]): [string, BoundTerms] => {
      if (pattern === undefined) return [path, terms];
      if (typeof pattern === "string") return [path, { ...terms, pattern }];
      if (pattern.flags.replace("u", "") !== "") fail(where, `bound on ${path}: a pattern has no flag but u`);
      return [path, { ...terms, pattern: pattern.source }];
    }),
  );

const leaseOf = (lease_s: unknown, where: string): number => {
  if (typeof lease_s !== "number" || !(lease_s > 0 && lease_s <= maxLease_s))
    return fail(where, `lease_s must be seconds, more than 0 and at most ${maxLease_s}`);
  return Math.round(lease_s * 1000);
};

const sourcesOf = (given: NonNullable<ToolOptions["resolvers"]>, where: string): Readonly<Record<string, FactSource>> =>
  Object.fromEntries(
    Object.entries(given).map(([name, source]): [string, FactSource] => {
      if (typeof source === "function") return [name, { fetch: source, fresh_ms: 0 }];
      if (typeof source !== "object" || source === null)
        fail(where, `resolver ${name} must be a function or {fetch, fresh_ms}`);
      return [name, { fetch: source.fetch, fresh_ms: source.fresh_ms ?? 0 }];
    }),
  );

/** The bounds that rest on no fact are advertised too, in the place that they are about. */
const withBounds = (schema: JsonObject, bounds: Bounds, where: string): JsonObject => {
  let joined = schema;
  for (const [text, terms] of Object.entries(bounds)) {
    const path = argumentPath(text, `${where}: bounds`);
    staticBounds({ [text]: terms }, where);
    const place = placeOf(joined, path) ?? fail(where, `bound on ${text}: args have no such path`);
    const node = place.node === null || "$ref" in place.node ? null : place.node;
    const isStatic = Object.values(terms).some((value) => !isFactRef(value));
    if (!isStatic) continue;
    const next = node === null ? null : advertised(node, terms);
    if (node === null || next === null)
      return fail(where, `bound on ${text}: args already say it, or have several forms there; write it into args`);
    joined = replaced(joined, node, next);
  }
  return joined;
};

/** The same tree with one node exchanged, found by its identity. */
const replaced = (tree: JsonObject, from: JsonObject, to: JsonObject): JsonObject => {
  if (tree === from) return to;
  const entries = Object.entries(tree).map(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [key, replaced(value as JsonObject, from, to)]
      : [key, value],
  );
  return entries.some(([key, value]) => value !== tree[key as string]) ? Object.fromEntries(entries) : tree;
};

/** A path that is misspelt would protect nothing. */
const refuseUnknownPaths = (tool: ToolDefinition, schema: JsonObject, where: string): void => {
  const at = (text: string, what: string) => {
    const path = argumentPath(text, `${where}: ${what}`);
    return placeOf(schema, path) ?? fail(where, `${what}: args have no path ${text}`);
  };
  for (const text of tool.redact) at(text, "redact");
  for (const text of tool.idempotency.paths) {
    const { isRequired } = at(text, "idempotency");
    if (tool.idempotency.by === "key" && (!isRequired || text.includes("[")))
      fail(where, `idempotency: the key ${text} must be a required argument, and no element of a list`);
  }
  for (const [text, terms] of Object.entries(tool.bounds))
    for (const fact of Object.values(terms).filter(isFactRef)) refuseLooseFact(text, fact, at, where);
};

const refuseLooseFact = (
  text: string,
  { key }: FactRef,
  at: (path: string, what: string) => { readonly isRequired: boolean },
  where: string,
): void => {
  // What is left out would be compared with nothing, and the tool may take it for everything.
  if (!at(text, "bounds").isRequired) fail(where, `bound on ${text}: a bound on a fact needs a required argument`);
  if (key.includes("[") || !at(key, `bound on ${text}: key`).isRequired)
    fail(where, `bound on ${text}: its key ${key} must be a required argument, and no element of a list`);
};
