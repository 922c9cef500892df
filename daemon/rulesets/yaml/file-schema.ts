import { z } from "zod";
import type { ArgumentDefinition } from "../../../rules/contracts/argument-dialect.ts";
import { policiesSchema, principalsSchema } from "../../contracts/policies/schema.ts";

/** A file of tools, policies and principals, as it is written. What its parts mean together, the SDK judges. */

const scalar = z.union([z.string(), z.number(), z.boolean()], { error: "must be a text, a number or a boolean" });
const paths = z.array(z.string()).min(1);
const length = z.number().int().min(0);

const argument: z.ZodType<ArgumentDefinition, unknown> = z.lazy(() =>
  z
    .strictObject({
      type: z.enum(["string", "number", "integer", "boolean", "array", "object"]),
      description: z.string(),
      optional: z.literal(true),
      nullable: z.literal(true),
      default: z.json(),
      enum: z.array(z.union([z.string(), z.number()])).min(1),
      min: z.number(),
      max: z.number(),
      gt: z.number(),
      lt: z.number(),
      minLength: length,
      maxLength: length,
      pattern: z.string(),
      items: argument,
      fields: z.record(z.string(), argument),
    })
    .partial()
    .required({ type: true }),
) as never;

const factRef = z.strictObject({ fact: z.string().min(1), key: z.string(), path: z.string() });
const numberOrFact = z.union([z.number(), factRef], { error: "must be a number, or { fact, key, path }" });
const bound = z
  .strictObject({
    min: numberOrFact,
    max: numberOrFact,
    minLength: length,
    maxLength: length,
    oneOf: z.array(scalar).min(1),
    pattern: z.string(),
    equals: z.union([scalar, factRef], { error: "must be a text, a number, a boolean, or { fact, key, path }" }),
  })
  .partial();

const idempotency = z
  .strictObject({
    by: z.union(
      [z.enum(["arguments", "off"]), z.strictObject({ key: z.string() }), z.strictObject({ fields: paths })],
      { error: "must be arguments, off, { key: PATH } or { fields: [PATH, ...] }" },
    ),
    scope: z.enum(["principal", "tenant", "global"]),
    window_s: z.number().positive(),
    wait_ms: z.number().min(0),
  })
  .partial();

const json = z.record(z.string(), z.json());
const toolExample = z.strictObject({
  args: json,
  given: z.record(z.string(), json).optional(),
  expect: z.enum(["allow", "deny"]),
  errors: z.array(z.string()).optional(),
});

const tool = z.strictObject({
  name: z.string().min(1),
  args: z.record(z.string(), argument),
  effect: z.enum(["read", "idempotent", "write"]),
  idempotency: idempotency.optional(),
  bounds: z.record(z.string(), bound).optional(),
  lease_s: z.number().positive().optional(),
  redact: paths.optional(),
  examples: z.array(toolExample).optional(),
});

const resolver = z.strictObject({ table: z.string().min(1), fresh_s: z.number().min(0).max(3600).optional() });

export const fileSchema = z.strictObject({
  id: z.string().optional(),
  version: z.number().int().min(1).optional(),
  deadline_ms: z.number().int().min(1).optional(),
  tools: z.array(tool).optional(),
  policies: policiesSchema.optional(),
  principals: principalsSchema.optional(),
  resolvers: z.record(z.string(), resolver).optional(),
});

export type FileContents = z.infer<typeof fileSchema>;
