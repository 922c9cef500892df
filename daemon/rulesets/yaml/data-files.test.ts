import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { trustIn } from "../../keys/trust.ts";
import { loadRuleSets } from "../load.ts";
import { signRuleSet } from "../sign.ts";
import { now_ms, openWorkshop, type Workshop } from "../testing.ts";
import { parseDataFile } from "./read-data-file.ts";

const key = generateKeyPair();
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const signed = async (entry: string) => {
  const out = join(workshop.folder, "out.ruleset.json");
  const manifest = await signRuleSet({ entry, key, out, now_ms, not_after_ms: null });
  const bytes = await readFile(out);
  const file = { path: out, bytes };
  const rules = await loadRuleSets({
    files: [file],
    trust: trustIn("rules", [key.publicKey]),
    served: new Map(),
    now_ms,
    examples: "run",
  });
  return { manifest, rules };
};

const refundTool = `
tools:
  - name: refund
    effect: write
    args:
      order_id: { type: string, pattern: "^ORD-[0-9]+$" }
      customer: { type: string }
      amount: { type: number, gt: 0, max: 10000 }
      currency: { type: string, enum: [EUR, USD], default: EUR }
      note: { type: string, optional: true, maxLength: 200 }
      lines: { type: array, optional: true, items: { type: object, fields: { sku: { type: string }, amount: { type: number } } } }
    idempotency: { by: { fields: [order_id, amount] }, window_s: 60 }
    bounds:
      amount: { max: { fact: orders, key: order_id, path: refundable } }
      note: { minLength: 3 }
    redact: [note]
    examples:
      - { args: { order_id: ORD-1, customer: c1, amount: 5 }, given: { orders: { ORD-1: { refundable: 5 } } }, expect: allow }
      - { args: { order_id: ORD-1, customer: c1, amount: "5" }, expect: deny, errors: [amount] }
resolvers:
  orders: { table: orders.json, fresh_s: 5 }
`;

const refundPolicies = `
policies:
  - id: refunds.ceiling
    tools: [refund]
    when: { amount: { gt: 5000 } }
    then: deny
principals:
  clerk: { roles: [finance] }
`;

describe("a YAML file", () => {
  it("is signed as a rule set of its own, and listed with its hash", async () => {
    const entry = await workshop.write("refunds.yaml", `id: refunds\nversion: 3\n${refundTool}${refundPolicies}`);
    const { manifest, rules } = await signed(entry);
    expect(manifest).toMatchObject({ id: "refunds", version: 3, entry: "refunds.yaml" });
    expect(manifest.sources.map(({ path }) => path)).toEqual(["refunds.yaml"]);
    expect(rules.contracts.of("refund")).toMatchObject({
      idempotency: {
        by: "fields",
        paths: ["order_id", "amount"],
        scope: "principal",
        window_ms: 60_000,
        wait_ms: 2000,
      },
      redact: ["note"],
      inputSchema: {
        required: ["order_id", "customer", "amount"],
        properties: {
          amount: { type: "number", exclusiveMinimum: 0, maximum: 10_000 },
          currency: { enum: ["EUR", "USD"], default: "EUR" },
          note: { type: "string", minLength: 3, maxLength: 200 },
        },
      },
    });
    expect(rules.contracts.of("refund")!.parse({ order_id: "ORD-1", customer: "c", amount: 1 })).toEqual({
      ok: true,
      args: { order_id: "ORD-1", customer: "c", amount: 1, currency: "EUR" },
    });
    expect(rules.policies.covers("refund")).toBe(true);
    expect(rules.policies.principal("clerk").roles).toEqual(["finance"]);
  });

  it("is imported by a rule set of code", async () => {
    await workshop.write("policies.yaml", refundPolicies);
    const entry = await workshop.write(
      "code.ts",
      `import { defineRules } from "interlock/rules";
       import data from "./policies.yaml";
       export default defineRules({ id: "code", version: 1, ...data });`,
    );
    const { manifest, rules } = await signed(entry);
    expect(manifest.sources.map(({ path }) => path)).toEqual(["code.ts", "policies.yaml"]);
    expect(manifest.packages.map(({ name }) => name)).toEqual(["interlock"]);
    expect(rules.policies.covers("refund")).toBe(true);
  });

  const head = "id: a\nversion: 1\n";
  const refusals: [name: string, text: string, message: string | RegExp][] = [
    [
      "an unknown key",
      `${head}policies:\n  - id: p\n    tols: [x]\n`,
      "p.yaml:5:5: policies.0.tols: unknown key; known: id, tools, except, when, who, ",
    ],
    [
      "an unknown key of a condition",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, when: { a: { gtt: 5 } } }\n`,
      "p.yaml:4:51: policies.0.when.a.gtt: unknown key; known: gt, gte, lt, lte, ",
    ],
    [
      "an unknown key of an argument",
      `${head}tools:\n  - name: t\n    effect: read\n    args: { a: { type: array, items: { type: string, regex: a } } }\n`,
      "p.yaml:6:54: tools.0.args.a.items.regex: unknown key; known: type, description, optional, ",
    ],
    ["an unknown key of the file", "polcies: []\n", "p.yaml:1:1: polcies: unknown key; known: id, version, "],
    [
      "a threshold that is a text",
      `${head}policies:\n  - id: p\n    tools: [x]\n    then: deny\n    when: { a: { gt: "5" } }\n`,
      "p.yaml:7:18: policies.0.when.a.gt: ",
    ],
    [
      "a threshold that is no finite number",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, when: { a: { gt: 1e400 } } }\n`,
      "p.yaml:4:51: policies.0.when.a.gt: ",
    ],
    [
      "a pattern that backtracks",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, when: { a: { pattern: '(a)\\1' } } }\n`,
      "p.yaml:4:51: policies.0.when.a.pattern: the pattern cannot be judged in linear time",
    ],
    [
      "an unknown zone",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, during: { zone: Mars/Olympus } }\n`,
      "p.yaml:4:48: policies.0.during.zone: must be a zone",
    ],
    [
      "an approval of a denial",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, approval: { count: 2 } }\n`,
      "p.yaml:4:38: policies.0.approval: goes with then: require_approval only",
    ],
    [
      "a shadow of a limit",
      `${head}policies:\n  - { id: p, tools: [x], limit: { count: calls, max: 1, window_s: 1 }, shadow: true }\n`,
      "policies.0.shadow: a limit cannot be a shadow",
    ],
    [
      "a shadow that is false",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, shadow: false }\n`,
      "policies.0.shadow: must be true, or left out",
    ],
    [
      "a limit per every element",
      `${head}policies:\n  - { id: p, tools: [x], limit: { count: calls, max: 1, window_s: 1, per: ["args.a[]"] } }\n`,
      "p.yaml:4:76: policies.0.limit.per.0: must name one value",
    ],
    [
      "a limit of a client",
      `${head}policies:\n  - { id: p, tools: [x], then: require_approval, approval: { by: client, count: 2 } }\n`,
      "policies.0.approval: roles and count are an operator's",
    ],
    [
      "a key that is no argument's name",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, when: { "a..b": { gt: 1 } } }\n`,
      "p.yaml:4:46: policies.0.when.a..b: a path is written like",
    ],
    [
      "a key that the schema would lose",
      `${head}policies:\n  - { id: p, tools: [x], then: deny, when: { __proto__: { gt: 1 } } }\n`,
      "p.yaml: holds a key that cannot be kept",
    ],
    [
      "a key twice",
      `${head}principals:\n  a: { roles: [x] }\n  a: { roles: [y] }\n`,
      /^p.yaml:5:3: Map keys must be unique$/,
    ],
    [
      "a policy's id twice",
      `${head}policies:\n  - { id: p, tools: [x], then: deny }\n  - { id: p, tools: [y], then: deny }\n`,
      "p.yaml:5:7: policies.1.id: p is defined above",
    ],
    [
      "a tool twice",
      `${head}tools:\n  - { name: t, effect: read, args: {} }\n  - { name: t, effect: read, args: {} }\n`,
      "p.yaml:5:7: tools.1.name: t is defined above",
    ],
    [
      "a policy that says nothing",
      `${head}policies:\n  - id: p\n    tools: [x]\n`,
      "p.yaml:4:5: policies.0: must hold one of then and limit",
    ],
    [
      "a scope that is none",
      `${head}policies:\n  - { id: p, tools: [x], then: require_approval, approval: { scopes: [shape] } }\n`,
      "policies.0.approval.scopes.0: must be once, exact or { shape: [PATH, ...] }",
    ],
    [
      "a fact of no resolver",
      `${head}tools:\n  - name: t\n    effect: read\n    args: { a: { type: number }, k: { type: string } }\n    bounds: { a: { max: { fact: f, key: k, path: x } } }\n`,
      "p.yaml:7:27: tools.0.bounds.a.max.fact: resolvers has no such name",
    ],
    [
      "an alias",
      `${head}principals:\n  a: &r { roles: [x] }\n  b: *r\n`,
      "p.yaml:5:6: aliases are not allowed; write it out",
    ],
    [
      "a policy without tools",
      `${head}policies:\n  - { id: p, then: deny }\n`,
      "p.yaml:4:5: policies.0.tools: must be given: expected array",
    ],
    [
      "resolvers for no tool",
      `${head}resolvers: { orders: { table: o.json } }\n`,
      "p.yaml:3:1: resolvers: no tool of this file asks them",
    ],
    ["no id", "version: 1\n", "p.yaml:1:1: id: a rule set has an id"],
    [
      "a tool with an unknown type",
      `${head}tools:\n  - name: t\n    effect: write\n    args: { a: { type: money } }\n`,
      "p.yaml:6:18: tools.0.args.a.type: ",
    ],
    [
      "a limit that a type does not have",
      `${head}tools:\n  - name: t\n    effect: write\n    args: { a: { type: string, max: 5 } }\n`,
      "p.yaml:4:5: tools.0: tool t: args.a: max does not go with type: string",
    ],
    [
      "a bound on no argument",
      `${head}tools:\n  - name: t\n    effect: write\n    args: { a: { type: string } }\n    bounds: { b: { max: 1 } }\n`,
      "p.yaml:4:5: tools.0: tool t: bound on b: args have no such path",
    ],
    [
      "a fact bound on what may be left out",
      `${head}tools:\n  - name: t\n    effect: write\n    args: { a: { type: number, optional: true }, k: { type: string } }\n    bounds: { a: { max: { fact: f, key: k, path: x } } }\nresolvers: { f: { table: f.json } }\n`,
      "needs a required argument",
    ],
  ];
  const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  for (const [name, text, message] of refusals) {
    it(`is refused with ${name}, by line and column`, () => {
      expect(() => parseDataFile(text, "p.yaml", "entry")).toThrowError(
        expect.objectContaining({
          code: "bad_data",
          message: expect.stringMatching(typeof message === "string" ? literally(message) : message),
        }),
      );
    });
  }

  it("is refused where an imported one says what the set says", () => {
    expect(() => parseDataFile("version: 2\n", "p.yaml", "import")).toThrow(
      "p.yaml:1:1: version: is what the importing",
    );
  });

  it("is refused by the signing command in the same words", async () => {
    await workshop.write("bad.yaml", "policies:\n  - id: p\n    then: deny\n");
    const entry = await workshop.write(
      "imports-bad.ts",
      `import { defineRules } from "interlock/rules"; import data from "./bad.yaml";
       export default defineRules({ id: "bad", version: 1, ...data });`,
    );
    await expect(signed(entry)).rejects.toMatchObject({
      code: "bad_data",
      message: expect.stringMatching(/^bad\.yaml:2:5: policies\.0\.tools: /),
    });
  });
});
