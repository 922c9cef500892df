import { describe, expect, it } from "vitest";
import type { WireObject } from "../../wire/value.ts";
import { checkTool } from "./check-tool.ts";
import { defineTool, type ToolOptions } from "./define-tool.ts";
import { z } from "./index.ts";

const args = z.strictObject({
  order_id: z.string().min(3),
  amount: z.number().positive().max(10_000),
  lines: z.array(z.strictObject({ sku: z.string(), count: z.int() })).optional(),
  kind: z.enum(["full", "part"]).default("part"),
});
const tool = (more: Partial<ToolOptions> = {}) => defineTool({ name: "refund", effect: "write", args, ...more });

describe("a tool's schema", () => {
  it("is advertised as it is enforced", () => {
    expect(tool().inputSchema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["order_id", "amount"],
      additionalProperties: false,
      properties: {
        order_id: { type: "string", minLength: 3 },
        amount: { type: "number", exclusiveMinimum: 0, maximum: 10_000 },
        lines: { items: { required: ["sku", "count"], additionalProperties: false } },
        kind: { enum: ["full", "part"], default: "part" },
      },
    });
  });

  it("fills defaults in and changes nothing else", () => {
    expect(tool().read({ order_id: "ORD", amount: 1 })).toEqual({
      ok: true,
      value: { order_id: "ORD", amount: 1, kind: "part" },
    });
  });

  it.each([
    ["a text of digits", { order_id: "ORD", amount: "9999" }, "amount", "invalid_type", "must be a number"],
    ["true", { order_id: "ORD", amount: true }, "amount", "invalid_type", "must be a number"],
    ["NaN", { order_id: "ORD", amount: Number.NaN }, "amount", "invalid_type", "must be a number"],
    ["1e400", { order_id: "ORD", amount: Number("1e400") }, "amount", "invalid_type", "must be a number"],
    ["a missing argument", { order_id: "ORD" }, "amount", "missing", "is required"],
    [
      "a missing element's field",
      { order_id: "ORD", amount: 1, lines: [{ count: 1 }] },
      "lines[0].sku",
      "missing",
      "is required",
    ],
    [
      "a half count",
      { order_id: "ORD", amount: 1, lines: [{ sku: "a", count: 1.5 }] },
      "lines[0].count",
      "invalid_type",
      "must be a whole number",
    ],
    [
      "an unknown key",
      { order_id: "ORD", amount: 1, amt: 9999 },
      "amt",
      "unrecognized_keys",
      "is not an argument of this tool",
    ],
    [
      "an unknown key further in",
      { order_id: "ORD", amount: 1, lines: [{ sku: "a", count: 1, x: 1 }] },
      "lines[0].x",
      "unrecognized_keys",
      "is not an argument of this tool",
    ],
    ["too little", { order_id: "ORD", amount: 0 }, "amount", "too_small", "must be greater than 0"],
    ["too much", { order_id: "ORD", amount: 10_001 }, "amount", "too_big", "must be at most 10000"],
    ["too short", { order_id: "O", amount: 1 }, "order_id", "too_small", "must have at least 3 characters"],
    [
      "none of the choices",
      { order_id: "ORD", amount: 1, kind: "all" },
      "kind",
      "invalid_value",
      'must be one of "full", "part"',
    ],
  ])("refuses %s by place, message and type", (_what, put, loc, type, msg) => {
    expect(tool().read(put as WireObject)).toEqual({ ok: false, errors: [{ loc, msg, type }] });
  });

  it("never says a value, not even in its author's words", () => {
    const quoting = z.strictObject({
      token: z.string({ error: ({ input }) => `bad ${input}` }).max(3, { error: ({ input }) => `long ${input}` }),
    });
    const made = tool({ args: quoting });
    expect(JSON.stringify(made.read({ token: "hunter2-secret" }))).not.toContain("hunter2");
    expect(JSON.stringify(made.read({ token: 4242 }))).not.toContain("4242");
  });

  it("tells at most 32 errors", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, at]));
    const read = tool().read({ order_id: "ORD", amount: 1, ...many });
    expect(read.ok ? [] : read.errors).toHaveLength(32);
  });

  it("judges its patterns in linear time", () => {
    const made = tool({ args: z.strictObject({ a: z.string().regex(/^(a+)+$/) }) });
    const started = performance.now();
    expect(made.read({ a: `${"a".repeat(60_000)}b` })).toMatchObject({
      ok: false,
      errors: [{ type: "invalid_format" }],
    });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(made.read({ a: "aaa" })).toMatchObject({ ok: true });
  });
});

describe("a schema is refused", () => {
  const refused: [name: string, schema: () => z.ZodType, message: string][] = [
    ["that strips unknown keys", () => z.object({ a: z.string() }), "use z.strictObject"],
    ["that lets unknown keys pass", () => z.looseObject({ a: z.string() }), "use z.strictObject"],
    [
      "that strips further in",
      () => z.strictObject({ a: z.array(z.object({ b: z.string() })) }),
      "args.a[] is an object",
    ],
    [
      "that strips in one of its forms",
      () => z.strictObject({ a: z.union([z.string(), z.object({ b: z.string() })]) }),
      "args.a is an object",
    ],
    ["that is no object", () => z.string(), "args must be a z.strictObject"],
    ["that coerces", () => z.strictObject({ a: z.coerce.number() }), "args.a coerces"],
    ["that transforms", () => z.strictObject({ a: z.string().transform(Number) }), "kind pipe"],
    ["that prepares its input", () => z.strictObject({ a: z.preprocess(Number, z.number()) }), "args.a"],
    ["that trims", () => z.strictObject({ a: z.string().trim() }), "changes its value"],
    ["that lowers case", () => z.strictObject({ a: z.string().toLowerCase() }), "changes its value"],
    ["that swallows errors", () => z.strictObject({ a: z.number().catch(0) }), "kind catch"],
    [
      "that runs code",
      () => z.strictObject({ a: z.number().refine((one) => one % 2 === 0) }),
      "JSON Schema cannot say",
    ],
    [
      "that runs code over all",
      () => z.strictObject({ a: z.number() }).superRefine(() => undefined),
      "JSON Schema cannot say",
    ],
    ["of what JSON does not carry", () => z.strictObject({ a: z.date() }), "kind date"],
    ["of big integers", () => z.strictObject({ a: z.bigint() }), "kind bigint"],
    ["of anything", () => z.strictObject({ a: z.unknown() }), "lets anything pass"],
    ["of any", () => z.strictObject({ a: z.any() }), "lets anything pass"],
    ["of a class", () => z.strictObject({ a: z.instanceof(Map) }), "args.a"],
    ["with an address that it rewrites", () => z.strictObject({ a: z.url() }), "format url"],
    [
      "with a pattern that backtracks",
      () => z.strictObject({ a: z.string().regex(/(a)\1/) }),
      "refers back|linear time",
    ],
    ["with a pattern that looks ahead", () => z.strictObject({ a: z.string().regex(/(?=a)b/) }), "linear time"],
    [
      "with a default of chance",
      () => z.strictObject({ a: z.number().default(() => Math.random()) }),
      "differs from call to call",
    ],
    ["with a default that it refuses", () => z.strictObject({ a: z.string().min(5).default("x") }), "would not accept"],
    [
      "that is of two forms at once",
      () => z.strictObject({ a: z.intersection(z.string(), z.string()) }),
      "kind intersection",
    ],
  ];
  for (const [name, schema, message] of refused) {
    it(name, () => {
      expect(() => tool({ args: schema() })).toThrow(new RegExp(message.replace(/[[\]().]/g, "\\$&")));
    });
  }
});

describe("what else a tool says", () => {
  it("has defaults", () => {
    expect(tool()).toMatchObject({
      kind: "tool",
      lease_ms: 300_000,
      idempotency: { by: "arguments", paths: [], scope: "principal", window_ms: 86_400_000, wait_ms: 2_000 },
      redact: [],
    });
    expect(tool({ effect: "read" }).idempotency.by).toBe("off");
  });

  it("may name the caller's key, or what a repeat has in common", () => {
    expect(tool({ idempotency: { by: { key: "order_id" }, scope: "tenant" } }).idempotency).toMatchObject({
      by: "key",
      paths: ["order_id"],
      scope: "tenant",
    });
    expect(tool({ idempotency: { by: { fields: ["order_id", "amount"] } } }).idempotency).toMatchObject({
      by: "fields",
      paths: ["order_id", "amount"],
    });
    expect(tool({ idempotency: { by: "off" } }).idempotency.by).toBe("off");
  });

  it("advertises the bounds that rest on no fact, the stricter where both say one", () => {
    const bounded = tool({
      bounds: { amount: { min: 5, max: 50_000 }, "lines[].count": { max: 9 }, order_id: { pattern: /^ORD/ } },
    });
    expect(bounded.inputSchema).toMatchObject({
      properties: {
        amount: { minimum: 5, exclusiveMinimum: 0, maximum: 10_000 },
        order_id: { minLength: 3, pattern: "^ORD" },
        lines: { items: { properties: { count: { maximum: 9 } } } },
      },
    });
  });

  const fact = { fact: "orders", key: "order_id", path: "refundable" };
  const refused: [name: string, more: object, message: string][] = [
    ["an unknown key", { idempotent: true }, "unknown key idempotent"],
    ["no name", { name: "" }, "its name must be an action"],
    ["a name with a star", { name: "pay.*" }, "without a star"],
    ["an unknown effect", { effect: "maybe" }, "effect"],
    ["a lease of nothing", { lease_s: 0 }, "lease_s must be seconds"],
    ["a lease for ever", { lease_s: Number.POSITIVE_INFINITY }, "lease_s must be seconds"],
    ["a window of a text", { idempotency: { window_s: "60" } }, "window_s must be seconds"],
    ["an unknown way to be the same", { idempotency: { by: "args" } }, "by must be"],
    ["a misspelt term", { idempotency: { windows: 1 } }, "unknown key"],
    ["a key that is no argument", { idempotency: { by: { key: "request_id" } } }, "args have no path request_id"],
    ["a key that may be left out", { idempotency: { by: { key: "kind" } } }, "must be a required argument"],
    ["a key that is an element", { idempotency: { by: { key: "lines[].sku" } } }, "must be a required argument"],
    ["a redaction of nothing", { redact: ["card"] }, "args have no path card"],
    ["a bound on no argument", { bounds: { amt: { max: 5 } } }, "args have no such path"],
    ["a bound that is no number", { bounds: { amount: { max: "5" } } }, "max: must be a finite number"],
    ["a bound of NaN", { bounds: { amount: { max: Number.NaN } } }, "max: must be a finite number"],
    ["an unknown bound", { bounds: { amount: { most: 5 } } }, "unknown key"],
    ["an empty bound", { bounds: { amount: {} } }, "must hold one of"],
    ["a bound that args say too", { bounds: { kind: { oneOf: ["full"] } } }, "write it into args"],
    ["a bound with a pattern that backtracks", { bounds: { order_id: { pattern: "(a)\\1" } } }, "pattern"],
    [
      "a fact without a path",
      { bounds: { amount: { max: { fact: "orders", key: "order_id" } } } },
      "a path is written",
    ],
    ["a fact about what may be left out", { bounds: { kind: { equals: fact } } }, "needs a required argument"],
    [
      "a fact under what may be left out",
      { bounds: { amount: { max: { ...fact, key: "kind" } } } },
      "must be a required argument",
    ],
    ["a resolver that is no function", { resolvers: { orders: 7 } }, "must be a function"],
    ["a fact that is fresh for ever", { resolvers: { orders: { fetch: () => 1, fresh_ms: 1e12 } } }, "fresh_ms"],
    ["an example without an expectation", { examples: [{ args: {} }] }, "expect: must be allow, deny"],
  ];
  for (const [name, more, message] of refused) {
    it(`is refused with ${name}`, () => {
      expect(() => tool(more as never)).toThrow(message);
      expect(() => tool(more as never)).toThrowError(expect.objectContaining({ name: "RuleDefinitionError" }));
    });
  }

  it("is frozen in depth, and parsed again to the same", () => {
    const made = tool({ bounds: { amount: { min: 1 } }, redact: ["order_id"] });
    const parts = [
      made,
      made.idempotency,
      made.bounds,
      made.bounds.amount,
      made.inputSchema,
      made.inputSchema.properties,
    ];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
    expect(checkTool(made, "again")).toEqual(made);
    expect(() => checkTool({ ...made, kind: "thing" }, "set s")).toThrow("set s: a tool must be what defineTool made");
    expect(() => checkTool({ ...made, read: null }, "set s")).toThrow("what defineTool made");
  });
});
