import { z } from "zod";
import { maxRuleIdBytes } from "../../rules/limits.ts";
import { maxNameBytes } from "../../wire/limits.ts";
import { isTime } from "../../wire/utc-time.ts";
import { parameterTypes, widenings } from "./document.ts";

/** A scope document as it is written, strictly. What its parts mean together is judged elsewhere (check.ts). */

const maxItems = 10_000;

const id = z
  .string()
  .max(maxRuleIdBytes)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, dots, dashes or underscores");

const parameter = z
  .strictObject({
    type: z.enum(parameterTypes),
    merge: z.enum(["override", "union"]).optional(),
    widens: z.enum(widenings).optional(),
  })
  .refine(({ type, merge }) => merge !== "union" || type.endsWith("s"), "merge: union is for lists");

const template = z.strictObject({
  params: z.record(id, parameter).optional(),
  policy: z.record(z.string(), z.json()),
});

const value = z.union(
  [z.string(), z.number(), z.array(z.string()).min(1).max(maxItems), z.array(z.number()).min(1).max(maxItems)],
  { error: "must be a text, a number, or a list of one of them that is not empty" },
);

const binding = z
  .strictObject({
    template: z.string().min(1),
    params: z.record(z.string(), value).optional(),
    enabled: z.literal(false, { error: "must be false, or left out" }).optional(),
    delegated_from: z.string().min(1).max(maxNameBytes).optional(),
  })
  .refine(
    ({ enabled, params, delegated_from }) =>
      enabled === undefined || (params === undefined && delegated_from === undefined),
    "a binding that removes has neither params nor delegated_from",
  );

export const timeSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be a time such as "2027-06-30T00:00:00Z"')
  .refine(isTime, "is no time of the calendar");

export const sourceSchema = z.strictObject({
  id,
  version: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  not_after: timeSchema.optional(),
  templates: z.record(id, template),
  scopes: z.record(z.string(), z.array(binding)),
});

export type ScopeSource = z.infer<typeof sourceSchema>;
