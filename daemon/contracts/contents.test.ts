import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { trustIn } from "../keys/trust.ts";
import { loadRuleSets } from "../rulesets/load.ts";
import { now_ms, openWorkshop, sourceOf, type Workshop } from "../rulesets/testing.ts";

const key = generateKeyPair();
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const load = async (...sources: readonly string[]) => {
  const files = [];
  for (const source of sources) files.push(await workshop.sign(source, key));
  return loadRuleSets({ files, trust: trustIn("rules", [key.publicKey]), served: new Map(), now_ms, examples: "run" });
};

const refunds = (more = "", tool = ""): string => `
import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
export default defineRules({
  id: "refunds",
  version: 1,
  tools: [defineTool({
    name: "refund",
    effect: "write",
    args: z.strictObject({ order_id: z.string().min(1), customer: z.string(), amount: z.number().positive() }),
    resolvers: { orders: (key) => (key === "ORD-1" ? { customer: "c1", refundable: 40 } : undefined) },
    bounds: {
      customer: { equals: { fact: "orders", key: "order_id", path: "customer" } },
      amount: { max: { fact: "orders", key: "order_id", path: "refundable" } },
    },
    examples: [
      { args: { order_id: "ORD-7", customer: "c2", amount: 1 }, given: { orders: { "ORD-7": { customer: "c1", refundable: 5 } } }, expect: "deny", errors: ["customer"] },
      { args: { order_id: "ORD-7", customer: "c1", amount: 5 }, given: { orders: { "ORD-7": { customer: "c1", refundable: 5 } } }, expect: "allow" },
    ],
    ${tool}
  })],
  policies: [
    { id: "refunds.ask", tools: ["refund"], when: { amount: { gt: 500 } }, then: "require_approval" },
    { id: "refunds.ceiling", tools: ["refund"], when: { amount: { gt: 5000 } }, then: "deny",
      examples: [{ args: { amount: 5001 }, expect: "deny" }, { args: { amount: 5000 }, expect: "allow" }] },
  ],
  principals: { clerk: { roles: ["finance"], tenant: "acme" } },
  ${more}
});
`;

describe("what a signed set holds beside rules", () => {
  it("is loaded with it, and judges by its own copy of the schema", async () => {
    const { contracts, policies, sets } = await load(refunds());
    expect(sets[0]!.rules).toEqual([]);
    const refund = contracts.of("refund")!;
    expect(refund).toMatchObject({ name: "refund", ruleSet: "refunds", effect: "write", lease_ms: 300_000 });
    expect(refund.inputSchema).toMatchObject({
      additionalProperties: false,
      required: ["order_id", "customer", "amount"],
    });
    expect(refund.parse({ order_id: "ORD-1", customer: "c1", amount: 40 })).toEqual({
      ok: true,
      args: { order_id: "ORD-1", customer: "c1", amount: 40 },
    });
    expect(contracts.of("other")).toBeNull();
    expect(policies.covers("refund")).toBe(true);
    expect(policies.covers("other")).toBe(false);
    expect(policies.principal("clerk")).toEqual({ isNamed: true, roles: ["finance"], tenant: "acme" });
    expect(policies.principal("nobody")).toEqual({ isNamed: false, roles: [], tenant: null });
  });

  it("beside a set of rules", async () => {
    const { contracts, sets } = await load(sourceOf(), refunds());
    expect(sets.map(({ tools }) => tools.length)).toEqual([0, 1]);
    expect(contracts.of("refund")).not.toBeNull();
  });

  it("is refused where a tool is loaded twice", async () => {
    await expect(load(refunds(), refunds().replace('id: "refunds"', 'id: "others"'))).rejects.toMatchObject({
      code: "duplicate",
      message: expect.stringContaining("refunds.ask"),
    });
  });

  it("is refused where a policy has the id of another, or of a rule", async () => {
    const policy = (id: string) => `{ id: "${id}", tools: ["x"], then: "deny" }`;
    for (const policies of [`${policy("p")}, ${policy("p")}`, policy("pay.block")])
      await expect(load(sourceOf().replace("rules: [", `policies: [${policies}], rules: [`))).rejects.toMatchObject({
        code: "duplicate",
        message: expect.stringContaining("is loaded twice"),
      });
  });

  it("is refused where two sets have a contract of one tool, or roles of one principal", async () => {
    const others = refunds()
      .replace('id: "refunds"', 'id: "others"')
      .replaceAll("refunds.ask", "others.ask")
      .replaceAll("refunds.ceiling", "others.ceiling");
    const message = "tool refund is loaded twice; it has one contract";
    await expect(load(refunds(), others)).rejects.toMatchObject({ code: "duplicate", message });
    await expect(load(refunds(), others.replace('name: "refund"', 'name: "other"'))).rejects.toMatchObject({
      message: "principal clerk is loaded twice; one place says its roles",
    });
  });

  it.each([
    ["an unknown key", '{ id: "p", tools: ["x"], then: "deny", typo: 1 }', "policies.0.typo: unknown key"],
    ["a policy that does nothing", '{ id: "p", tools: ["x"] }', "must hold one of then and limit"],
    [
      "a threshold that is a text",
      '{ id: "p", tools: ["x"], when: { a: { gt: "5" } }, then: "deny" }',
      "policies.0.when.a.gt",
    ],
    [
      "a pattern that backtracks",
      '{ id: "p", tools: ["x"], when: { a: { pattern: "(a)\\\\1" } }, then: "deny" }',
      "linear time",
    ],
    [
      "a path that is none",
      '{ id: "p", tools: ["x"], when: { "a..b": { gt: 5 } }, then: "deny" }',
      "a path is written like",
    ],
  ])("is refused where a policy holds %s", async (_what, policy, message) => {
    const source = sourceOf({ before: "" }).replace("rules: [", `policies: [${policy}], rules: [`);
    await expect(load(source)).rejects.toMatchObject({
      code: "bad_contents",
      message: expect.stringContaining(message),
    });
  });

  it("is refused where an example of a policy or of a tool does not hold", async () => {
    const wrong = refunds().replace("amount: 5001", "amount: 4999");
    await expect(load(wrong)).rejects.toMatchObject({
      code: "examples_failed",
      details: ["policy refunds.ceiling: example 1: expected deny, got allow"],
    });
    await expect(load(refunds().replace('errors: ["customer"]', 'errors: ["amount"]'))).rejects.toMatchObject({
      details: ["tool refund: example 1: expected errors at amount, got customer"],
    });
  });
});
