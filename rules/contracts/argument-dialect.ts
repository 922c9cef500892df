import { z } from "zod";
import { RuleDefinitionError } from "../definition-error.ts";

/** One argument as those write it who write no code. */
export interface ArgumentDefinition {
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly description?: string;
  /** May be left out. */
  readonly optional?: true;
  /** May be null. */
  readonly nullable?: true;
  /** Stands where the argument is left out. */
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly min?: number;
  readonly max?: number;
  /** More than, less than. */
  readonly gt?: number;
  readonly lt?: number;
  /** Of a text or a list. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ArgumentDefinition;
  readonly fields?: Readonly<Record<string, ArgumentDefinition>>;
}

export type ArgumentDefinitions = Readonly<Record<string, ArgumentDefinition>>;

/** The strict object of these arguments: the same schema that `z.strictObject` makes in code. */
export const schemaOf = (args: ArgumentDefinitions, where: string): z.ZodType =>
  z.strictObject(
    Object.fromEntries(Object.entries(args).map(([name, one]) => [name, argument(one, `${where}.${name}`)])),
  );

const argument = (one: ArgumentDefinition, where: string): z.ZodType => {
  let schema = bare(one, where);
  if (one.description !== undefined) schema = schema.describe(one.description);
  if (one.nullable === true) schema = schema.nullable();
  if (one.default !== undefined) return schema.default(one.default as never);
  return one.optional === true ? schema.optional() : schema;
};

const bare = (one: ArgumentDefinition, where: string): z.ZodType => {
  refuseIdle(one, where);
  switch (one.type) {
    case "string":
      return one.enum === undefined ? text(one, where) : chosen(one.enum, "string", where);
    case "number":
    case "integer":
      return one.enum === undefined ? number(one) : chosen(one.enum, "number", where);
    case "boolean":
      return z.boolean();
    case "array": {
      if (one.items === undefined) return fail(where, "an array must say its items");
      let list = z.array(argument(one.items, `${where}[]`));
      if (one.minLength !== undefined) list = list.min(one.minLength);
      if (one.maxLength !== undefined) list = list.max(one.maxLength);
      return list;
    }
    case "object":
      return schemaOf(one.fields ?? fail(where, "an object must say its fields"), where);
  }
};

const text = ({ minLength, maxLength, pattern }: ArgumentDefinition, where: string): z.ZodType => {
  let schema = z.string();
  if (minLength !== undefined) schema = schema.min(minLength);
  if (maxLength !== undefined) schema = schema.max(maxLength);
  if (pattern === undefined) return schema;
  try {
    return schema.regex(new RegExp(pattern, "u"));
  } catch {
    return fail(where, "the pattern is not one of JavaScript with the flag u");
  }
};

const number = ({ type, min, max, gt, lt }: ArgumentDefinition): z.ZodType => {
  let schema: z.ZodNumber = type === "integer" ? z.int() : z.number();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  if (gt !== undefined) schema = schema.gt(gt);
  if (lt !== undefined) schema = schema.lt(lt);
  return schema;
};

const chosen = (options: readonly (string | number)[], type: "string" | "number", where: string): z.ZodType => {
  if (!options.every((option) => typeof option === type)) fail(where, `an enum of a ${type} holds ${type}s`);
  return z.literal(options as [string | number, ...(string | number)[]]);
};

const says: Readonly<Record<ArgumentDefinition["type"], readonly string[]>> = {
  string: ["enum", "minLength", "maxLength", "pattern"],
  number: ["enum", "min", "max", "gt", "lt"],
  integer: ["enum", "min", "max", "gt", "lt"],
  boolean: [],
  array: ["items", "minLength", "maxLength"],
  object: ["fields"],
};
const ofAny = ["type", "description", "optional", "nullable", "default"];

/** A limit that its type does not have would look like one and do nothing. */
const refuseIdle = (one: ArgumentDefinition, where: string): void => {
  const known = says[one.type];
  for (const key of Object.keys(one))
    if (!ofAny.includes(key) && !known.includes(key)) fail(where, `${key} does not go with type: ${one.type}`);
  if (one.enum !== undefined && Object.keys(one).some((key) => known.includes(key) && key !== "enum"))
    fail(where, "an enum says it all; leave the other limits out");
  if (one.optional === true && one.default !== undefined) fail(where, "one of optional and default");
};

const fail = (where: string, what: string): never => {
  throw new RuleDefinitionError(`${where}: ${what}`);
};
