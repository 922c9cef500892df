import { z } from "zod";
import { argumentPath } from "../../../rules/contracts/argument-path.ts";
import { linearPattern } from "../../../rules/contracts/linear-pattern.ts";
import { RuleDefinitionError } from "../../../rules/definition-error.ts";
import { maxRuleIdBytes } from "../../../rules/limits.ts";
import { maxNameBytes, maxReasonBytes } from "../../../wire/limits.ts";
import { maxDistinct } from "./distinct.ts";

/** Policies and principals as they are written, strictly: an unknown key is refused, and so is one that would do nothing. */

const maxItems = 10_000;
const maxPatterns = 256;
const maxConditions = 32;
const maxWindow_s = 366 * 24 * 3600;
const maxExpires_s = 30 * 24 * 3600;
const maxApprovers = 16;

/** A check of the SDK's own as one of zod's. Its messages are one line and quote no argument. */
const judgedBy = (judge: (text: string) => unknown) => (text: string, context: z.RefinementCtx<string>) => {
  try {
    judge(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message.replace(/^: /, "") });
  }
};

const name = z.string().min(1).max(maxNameBytes);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be a text, a number, a boolean or null",
});
const scalars = z.array(scalar).min(1).max(maxItems);
const pattern = z.string().superRefine(judgedBy((text) => linearPattern(text, "", "")));
const path = z.string().superRefine(judgedBy((text) => argumentPath(text, "")));
const action = name.refine(
  (text) => text === "*" || !(text.endsWith(".*") && text.length > 2 ? text.slice(0, -2) : text).includes("*"),
  'must be an exact name, "prefix.*" or "*"',
);
const length = z.number().int().min(0);

const operators = [
  ...["gt", "gte", "lt", "lte", "eq", "ne", "in", "not_in"],
  ...["pattern", "not_pattern", "minLength", "maxLength"],
] as const;

const condition = z
  .strictObject({
    gt: z.number(),
    gte: z.number(),
    lt: z.number(),
    lte: z.number(),
    eq: scalar,
    ne: scalar,
    in: scalars,
    not_in: scalars,
    pattern,
    not_pattern: pattern,
    minLength: length,
    maxLength: length,
    normalize: z.literal("casefold_trim"),
    missing: z.enum(["deny", "no_match", "match"]),
  })
  .partial()
  .refine(
    (one) => operators.some((key) => one[key as keyof typeof one] !== undefined),
    `must hold one of ${operators.join(", ")}`,
  );

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as "09:30"');
const zone = z.string().refine(isZone, "must be a zone such as Europe/Berlin");
const hours = z.strictObject({
  days: z
    .array(z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]))
    .min(1)
    .optional(),
  from: time.optional(),
  to: time.optional(),
  zone,
});

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

const names = z.array(name).min(1).max(maxItems);
const who = z
  .strictObject({ principals: names, not_principals: names, roles: names, not_roles: names })
  .partial()
  .refine((one) => Object.keys(one).length > 0, "must hold one of principals, not_principals, roles, not_roles");

const approval = z
  .strictObject({
    by: z.enum(["client", "operator"]),
    roles: names,
    count: z.number().int().min(1).max(maxApprovers),
    expires_s: z.number().int().min(1).max(maxExpires_s),
    scopes: z
      .array(
        z.union([z.enum(["once", "exact"]), z.strictObject({ shape: z.array(path).min(1) })], {
          error: "must be once, exact or { shape: [PATH, ...] }",
        }),
      )
      .min(1),
  })
  .partial()
  .refine(
    ({ by, roles, count = 1 }) => by !== "client" || (roles === undefined && count === 1),
    "roles and count are an operator's; by: client has none",
  );

const per = z.string().superRefine(
  judgedBy((text) => {
    if (text === "principal" || text === "tool" || text === "tenant") return;
    if (!text.startsWith("args.")) throw new RuleDefinitionError("must be principal, tool, tenant or args.PATH");
    argumentPath(text.slice("args.".length), "");
    if (text.includes("[]")) throw new RuleDefinitionError("must name one value");
  }),
);
const kinds = ["count", "sum", "distinct", "repeats", "volume"] as const;
const limit = z
  .strictObject({
    count: z.literal("calls").optional(),
    sum: path.optional(),
    distinct: path.optional(),
    repeats: z.literal("same_call").optional(),
    volume: path.optional(),
    max: z.number().min(0).optional(),
    max_bytes: z.number().int().min(0).optional(),
    per: z.array(per).max(8).optional(),
    normalize: z.literal("casefold_trim").optional(),
    window_s: z.number().int().min(1).max(maxWindow_s),
  })
  .superRefine((one, context) => {
    const refuse = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    const named = kinds.filter((kind) => one[kind] !== undefined);
    if (named.length !== 1)
      return context.addIssue({
        code: "custom",
        message:
          "must hold one of count: calls, sum: PATH, distinct: PATH or destination, repeats: same_call, volume: PATH or arguments",
      });
    const [bound, other] = one.volume === undefined ? (["max", "max_bytes"] as const) : (["max_bytes", "max"] as const);
    if (one[bound] === undefined) refuse(bound, `must be given with ${named[0]}`);
    if (one[other] !== undefined) refuse(other, `does not go with ${named[0]}; ${bound} does`);
    if (one.distinct !== undefined && (one.max ?? 0) > maxDistinct)
      refuse("max", `must be at most ${maxDistinct} with distinct`);
    if (one.repeats !== undefined && one.per !== undefined)
      refuse("per", "does not go with repeats: it is per principal");
    if (one.repeats !== undefined && one.normalize !== undefined)
      refuse("normalize", "does not go with repeats: it compares calls as they are");
    if (one.volume !== undefined && one.normalize !== undefined && one.per === undefined)
      refuse("normalize", "goes with per");
  });

const effect = z.enum(["read", "idempotent", "write"]);
const effects = z.array(effect).min(1).max(3);

const example = z.strictObject({
  action: name.optional(),
  args: z.record(z.string(), z.json()),
  principal: name.optional(),
  roles: z.array(name).max(maxItems).optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  effect: effect.optional(),
  expect: z.enum(["allow", "deny", "require_approval"]),
});

export const policySchema = z
  .strictObject({
    id: z
      .string()
      .max(maxRuleIdBytes)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, dots, dashes or underscores"),
    tools: z.array(action).min(1).max(maxPatterns),
    except: z.array(action).min(1).max(maxPatterns).optional(),
    when: z
      .record(path, condition)
      .refine((all) => Object.keys(all).length <= maxConditions, `must hold at most ${maxConditions} conditions`)
      .optional(),
    who: who.optional(),
    effects: effects.optional(),
    not_effects: effects.optional(),
    arguments_over_bytes: z.number().int().min(0).optional(),
    during: hours.optional(),
    outside: hours.optional(),
    then: z.enum(["deny", "require_approval"]).optional(),
    approval: approval.optional(),
    limit: limit.optional(),
    reason: z
      .string()
      .min(1)
      .max(maxReasonBytes)
      .regex(/^[^\p{Cc}]*$/u, "must be one line")
      .optional(),
    shadow: z.literal(true, { error: "must be true, or left out" }).optional(),
    examples: z.array(example).max(256).optional(),
  })
  .superRefine((policy, context) => {
    const refuse = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    if ((policy.then === undefined) === (policy.limit === undefined))
      context.addIssue({
        code: "custom",
        path: policy.then === undefined ? [] : ["limit"],
        message: "must hold one of then and limit",
      });
    if (policy.approval !== undefined && policy.then !== "require_approval")
      refuse("approval", "goes with then: require_approval only");
    if (policy.limit !== undefined && policy.shadow === true)
      refuse("shadow", "a limit cannot be a shadow: what is not enforced is not counted");
    for (const [at, one] of (policy.examples ?? []).entries())
      if (one.action === undefined && (policy.tools.length !== 1 || policy.tools[0]?.includes("*")))
        context.addIssue({ code: "custom", path: ["examples", at], message: "must name its action" });
  });

export const policiesSchema = z.array(policySchema);

export const principalsSchema = z.record(name, z.strictObject({ roles: names.optional(), tenant: name.optional() }));
