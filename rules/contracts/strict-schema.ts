import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { RuleDefinitionError } from "../definition-error.ts";
import { linearPattern } from "./linear-pattern.ts";

/**
 * Judges a schema before it may judge calls: what it accepts must be what JSON Schema says of it, and what it returns
 * must be what it was given. So everything that strips, coerces, transforms, swallows or runs code of its own is
 * refused, by a list of what is known to do none of that.
 */

/** As much of zod's own definitions as is looked at. */
interface Definition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly items?: readonly Schema[];
  readonly rest?: Schema | null;
  readonly options?: readonly Schema[];
  readonly innerType?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly getter?: () => Schema;
  readonly defaultValue?: unknown;
}

interface Check {
  readonly check?: string;
  readonly format?: string;
  pattern?: RegExp;
  readonly fn?: unknown;
}

interface Schema {
  readonly _zod: { readonly def: Definition & Check };
}

const leaves: ReadonlySet<string> = new Set(["string", "number", "boolean", "null", "literal", "enum"]);
/** Checks that only look, and that JSON Schema can say. */
const knownChecks: ReadonlySet<string> = new Set([
  "string_format",
  "number_format",
  "greater_than",
  "less_than",
  "multiple_of",
  "min_length",
  "max_length",
  "length_equals",
]);
/** Formats that are judged by a fixed text. */
const knownFormats: ReadonlySet<string> = new Set(["starts_with", "ends_with", "includes", "lowercase", "uppercase"]);
const wrappers: ReadonlySet<string> = new Set([
  "optional",
  "nullable",
  "nonoptional",
  "readonly",
  "default",
  "prefault",
]);

export const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === "object" && value !== null && "_zod" in value;

/** Throws `RuleDefinitionError`. Patterns are replaced, in place, by ones of linear time. */
export const refuseLooseSchema = (schema: z.ZodType, where: string): void => {
  const root = schema as unknown as Schema;
  if (root._zod.def.type !== "object") throw new RuleDefinitionError(`${where}: args must be a z.strictObject({...})`);
  walk(root, `${where}: args`, new Set());
};

const walk = (schema: Schema, where: string, seen: Set<Schema>): void => {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { def } = schema._zod;
  if (def.coerce === true) refuse(where, "coerces; a contract takes what it was given, or refuses it");
  for (const check of def.checks ?? []) judgeCheck(check._zod.def, where);
  // A format such as z.email() is a schema and its own check.
  if (def.check !== undefined) judgeCheck(def, where);
  if (def.type === "object" && def.catchall?._zod.def.type !== "never")
    refuse(where, "is an object that lets unknown keys pass or strips them; use z.strictObject");
  if (def.type === "default" || def.type === "prefault") judgeDefault(schema, where);
  for (const [inner, place] of innerOf(def, where)) if (inner) walk(inner, place, seen);
};

type Inner = readonly (readonly [schema: Schema | null | undefined, place: string])[];

const innerOf = (def: Definition, where: string): Inner => {
  if (leaves.has(def.type)) return [];
  if (wrappers.has(def.type)) return [[def.innerType, where]];
  switch (def.type) {
    case "object":
      return Object.entries(def.shape ?? {}).map(([name, inner]) => [inner, `${where}.${name}`]);
    case "array":
      return [[def.element, `${where}[]`]];
    case "tuple":
      return [...(def.items ?? []).map((inner, at) => [inner, `${where}[${at}]`] as const), [def.rest, `${where}[]`]];
    case "record":
      return [
        [def.keyType, `${where} (a key)`],
        [def.valueType, `${where}.*`],
      ];
    case "union":
      return (def.options ?? []).map((inner) => [inner, where]);
    case "lazy":
      return [[def.getter?.(), where]];
    case "any":
    case "unknown":
      return refuse(where, "lets anything pass; say what it is, or z.json()");
    default:
      return refuse(where, `is of zod's kind ${def.type}, which has no exact JSON Schema`);
  }
};

const judgeCheck = (check: Check, where: string): void => {
  if (check.check === "overwrite")
    refuse(where, "changes its value (trim, toLowerCase, ...); a contract takes what it was given, or refuses it");
  if (check.check === undefined || !knownChecks.has(check.check))
    refuse(where, "has a check that JSON Schema cannot say; write it as a bound, a policy or a rule");
  if (check.check !== "string_format") return;
  const format = check.format ?? "";
  if (check.fn !== undefined) refuse(where, "has a format of its own; write it as a pattern");
  if (knownFormats.has(format)) return;
  if (check.pattern === undefined) return void refuse(where, `has the format ${format}, which has no pattern`);
  const { source, flags } = check.pattern;
  const linear = linearPattern(source, flags, `${where}${format === "regex" ? "" : ` (format ${format})`}`);
  // The advertised schema still reads the pattern's source; what judges is in linear time.
  check.pattern = Object.defineProperty(new RegExp(source, flags), "test", { value: linear.test });
};

const refuse = (where: string, why: string): never => {
  throw new RuleDefinitionError(`${where} ${why}`);
};

const judgeDefault = (schema: Schema, where: string): void => {
  const { def } = schema._zod;
  const [first, second] = [def.defaultValue, def.defaultValue];
  if (!isDeepStrictEqual(first, second)) refuse(where, "has a default that differs from call to call");
  const read = (def.innerType as unknown as z.ZodType).safeParse(first);
  if (!read.success || !isDeepStrictEqual(read.data, first)) refuse(where, "has a default that it would not accept");
};
