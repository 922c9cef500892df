import type { PolicyDefinition, Principals } from "../../../rules/contracts/policy-definition.ts";
import { RuleDefinitionError } from "../../../rules/definition-error.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { keepsAll } from "../keeps-all.ts";
import { firstIssue } from "./issue.ts";
import { policiesSchema, principalsSchema } from "./schema.ts";

/** Throws `RuleDefinitionError` with one line: where it stands, what is wrong. @param where a file or a rule set. */
export const parsePolicies = (values: readonly JsonValue[], where: string): readonly PolicyDefinition[] =>
  parsed(policiesSchema, values, where, "policies") as readonly PolicyDefinition[];

/** Throws `RuleDefinitionError`. */
export const parsePrincipals = (values: JsonObject, where: string): Principals =>
  parsed(principalsSchema, values, where, "principals") as Principals;

const parsed = (
  schema: typeof policiesSchema | typeof principalsSchema,
  values: unknown,
  where: string,
  root: string,
): unknown => {
  const read = schema.safeParse(values);
  if (!read.success) {
    const { path, what } = firstIssue(read.error.issues, schema);
    throw new RuleDefinitionError(`${where}: ${[root, ...path].join(".")}: ${what}`);
  }
  // A key that the schema's library cannot carry would be lost, and with it what it forbids.
  if (!keepsAll(values, read.data)) throw new RuleDefinitionError(`${where}: ${root} hold a key that cannot be kept`);
  return read.data;
};
