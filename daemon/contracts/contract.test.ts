import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { defineTool, type ToolOptions } from "../../rules/contracts/define-tool.ts";
import { z } from "../../rules/contracts/index.ts";
import type { ToolDefinition } from "../../rules/contracts/tool.ts";
import type { WireObject } from "../../wire/value.ts";
import { evidenceGate, factDenial, resolverThrew } from "../gates/evidence.ts";
import { compileContract } from "./compile-contract.ts";
import { keepsAll } from "./keeps-all.ts";

const set = { id: "refunds", resolvers: {}, deadline_ms: 250 };
const ledger: Record<string, unknown> = {
  "ORD-1": { customer: "c1", paid: { left: 40 }, open: true },
  "ORD-2": { customer: "c1", paid: { left: "40" } },
  "ORD-3": null,
};
const orders = { fact: "orders", key: "order_id" };
const refund = (more: Partial<ToolOptions> = {}, resolver: (key: unknown) => unknown = (key) => ledger[String(key)]) =>
  compileContract(
    defineTool({
      name: "refund",
      effect: "write",
      args: z.strictObject({ order_id: z.string(), customer: z.string(), amount: z.number().positive() }),
      resolvers: { orders: resolver },
      bounds: {
        customer: { equals: { ...orders, path: "customer" } },
        amount: { max: { ...orders, path: "paid.left" }, min: 0.01 },
      },
      ...more,
    }),
    set,
  );
const checked = async (args: object, contract = refund(), now_ms = 0) => {
  try {
    const told = await contract.check!(args as WireObject, now_ms);
    const denial = factDenial(told);
    return { answer: denial === null ? "ALLOW" : "DENY", denial, seen: told.seen };
  } catch (error) {
    return { answer: "DENY", denial: resolverThrew(contract, error), seen: [] };
  }
};

describe("facts about arguments", () => {
  it("bear out the right customer and an amount that is left, and say what was seen", async () => {
    expect(await checked({ order_id: "ORD-1", customer: "c1", amount: 40 })).toEqual({
      answer: "ALLOW",
      denial: null,
      seen: [{ resolver: "orders", digest: expect.stringMatching(/^[0-9a-f]{64}$/), age_ms: 0 }],
    });
  });

  it.each([
    [
      "another customer's order",
      { order_id: "ORD-1", customer: "c2", amount: 1 },
      "customer",
      "customer is not the customer of orders",
    ],
    [
      "more than is left",
      { order_id: "ORD-1", customer: "c1", amount: 40.01 },
      "amount",
      "amount is more than the paid.left of orders",
    ],
    [
      "an order that nobody knows",
      { order_id: "ORD-9", customer: "c1", amount: 1 },
      "order_id",
      "orders knows no such order_id",
    ],
    [
      "an order that is null",
      { order_id: "ORD-3", customer: "c1", amount: 1 },
      "order_id",
      "orders knows no such order_id",
    ],
    [
      "a fact that is a text of digits",
      { order_id: "ORD-2", customer: "c1", amount: 1 },
      "amount",
      "amount cannot be compared: paid.left of orders is not a number",
    ],
  ])("deny %s", async (_what, args, attributedTo, reason) => {
    expect(await checked(args)).toMatchObject({
      answer: "DENY",
      denial: {
        code: "fact_failed",
        reason,
        attributedTo,
        policyId: null,
        errors: [{ loc: attributedTo, msg: reason.replace(`${attributedTo} `, ""), type: "fact" }],
      },
    });
  });

  it("name no value of the argument or the fact", async () => {
    const answer = await checked({ order_id: "ORD-1", customer: "mallory", amount: 1 });
    expect(JSON.stringify(answer)).not.toMatch(/mallory|ORD-1|c1/);
  });

  it("deny where a resolver throws, with the error's type alone", async () => {
    const throwing = refund({}, () => {
      throw new RangeError("password in the message");
    });
    expect(await checked({ order_id: "ORD-1", customer: "c1", amount: 1 }, throwing)).toMatchObject({
      answer: "DENY",
      denial: { code: "evidence_threw", reason: "a resolver of the contract of refund failed: RangeError" },
    });
  });

  it("deny a fact that has no JSON form", async () => {
    const strange = refund({}, () => ({ customer: "c1", paid: { left: 5 }, since: new Date(0) }));
    expect(await checked({ order_id: "ORD-1", customer: "c1", amount: 1 }, strange)).toMatchObject({
      denial: { code: "evidence_threw" },
    });
  });

  it("are asked for once a call, and again for the next call", async () => {
    const resolver = vi.fn((key: unknown) => ledger[String(key)]);
    const contract = refund({}, resolver);
    await checked({ order_id: "ORD-1", customer: "c1", amount: 1 }, contract);
    expect(resolver).toHaveBeenCalledTimes(1);
    await checked({ order_id: "ORD-1", customer: "c1", amount: 1 }, contract);
    expect(resolver).toHaveBeenCalledTimes(2);
  });

  it("are used again while they are fresh, with their age, and not after the clock was set back", async () => {
    const resolver = vi.fn((key: unknown) => ledger[String(key)]);
    const contract = refund({ resolvers: { orders: { fetch: resolver, fresh_ms: 100 } } });
    const at = async (now_ms: number) =>
      (await checked({ order_id: "ORD-1", customer: "c1", amount: 1 }, contract, now_ms)).seen[0]!.age_ms;
    expect([await at(1000), await at(1099), await at(1100), await at(1050)]).toEqual([0, 99, 0, 0]);
    expect(resolver).toHaveBeenCalledTimes(3);
  });

  it("are refused at definition where no resolver tells them", () => {
    expect(() => refund({ resolvers: {} })).toThrow("tool refund: bound on customer: there is no resolver orders");
  });

  it("come from the set's resolvers too", async () => {
    const tool = defineTool({
      name: "t",
      effect: "write",
      args: z.strictObject({ id: z.string(), n: z.number() }),
      bounds: { n: { min: { fact: "all", key: "id", path: "least" } } },
    });
    const contract = compileContract(tool, { ...set, resolvers: { all: () => ({ least: 3 }) } });
    expect(await checked({ id: "a", n: 3 }, contract)).toMatchObject({ answer: "ALLOW" });
    expect(await checked({ id: "a", n: 2 }, contract)).toMatchObject({ answer: "DENY" });
  });
});

describe("evidence", () => {
  it("hands on parsed arguments, frozen in depth, and leaves what was put as it was", () => {
    const contract = compileContract(
      defineTool({
        name: "t",
        effect: "write",
        args: z.strictObject({ list: z.array(z.strictObject({ n: z.number() })), kind: z.string().default("a") }),
      }),
      set,
    );
    const put = { list: [{ n: 1 }] };
    const answer = evidenceGate(contract, put);
    expect(answer).toEqual({ answer: "ALLOW", args: { list: [{ n: 1 }], kind: "a" } });
    const { args } = answer as unknown as { args: { list: { n: number }[] } };
    for (const part of [args, args.list, args.list[0]]) expect(Object.isFrozen(part)).toBe(true);
    put.list[0]!.n = 9999;
    expect(args.list[0]!.n).toBe(1);
  });

  it("denies with each field, and a reason about the first", () => {
    expect(evidenceGate(refund(), { order_id: "ORD-1", customer: 7, amount: "9999" })).toEqual({
      answer: "DENY",
      denial: {
        code: "evidence_failed",
        reason: "the arguments do not satisfy the contract of refund: customer: must be a string",
        policyId: null,
        attributedTo: "customer",
        errors: [
          { loc: "customer", msg: "must be a string", type: "invalid_type" },
          { loc: "amount", msg: "must be a number", type: "invalid_type" },
        ],
      },
    });
  });

  it("denies beyond a bound that rests on no fact", () => {
    expect(evidenceGate(refund(), { order_id: "ORD-1", customer: "c1", amount: 0.001 })).toMatchObject({
      answer: "DENY",
      denial: { errors: [{ loc: "amount", msg: "must be at least 0.01", type: "too_small" }] },
    });
  });

  const reading = (read: unknown) => {
    const tool = defineTool({ name: "t", effect: "write", args: z.strictObject({ a: z.number() }) });
    return compileContract({ ...tool, read: read as ToolDefinition["read"] }, set);
  };

  it("denies where the set's own code throws, and quotes nothing", () => {
    const throwing = reading(() => {
      throw new TypeError("quotes a secret");
    });
    const answer = evidenceGate(throwing, { a: 1 });
    expect(answer).toMatchObject({
      answer: "DENY",
      denial: { code: "evidence_threw", reason: "the contract of t failed: TypeError" },
    });
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  it.each([
    ["drops a key", () => ({ ok: true, value: {} })],
    ["changes a value", () => ({ ok: true, value: { a: 2 } })],
    ["converts a value", () => ({ ok: true, value: { a: "1" } })],
    ["refuses without saying why", () => ({ ok: false, errors: [] })],
  ])("denies where the set's own code %s", (_what, read) => {
    expect(evidenceGate(reading(read), { a: 1 })).toMatchObject({
      answer: "DENY",
      denial: {
        code: "evidence_failed",
        reason: expect.stringContaining("would drop or change"),
        errors: [{ type: "altered" }],
      },
    });
  });

  it("denies a key that the schema's library would lose", () => {
    const tool = defineTool({
      name: "t",
      effect: "write",
      args: z.strictObject({ by: z.record(z.string(), z.number()) }),
    });
    const put = JSON.parse('{"by":{"__proto__":9999,"a":1}}') as WireObject;
    expect(evidenceGate(compileContract(tool, set), put)).toMatchObject({
      answer: "DENY",
      denial: { errors: [{ type: "altered" }] },
    });
  });

  it("lets through only numbers where a number is meant, of all values there are", () => {
    const contract = compileContract(
      defineTool({ name: "t", effect: "write", args: z.strictObject({ a: z.number() }) }),
      set,
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom("9999", " 1", true, null)), (a) => {
        const isNumber = typeof a === "number" && Number.isFinite(a);
        expect(evidenceGate(contract, { a } as WireObject).answer).toBe(isNumber ? "ALLOW" : "DENY");
      }),
    );
  });
});

describe("keeping all", () => {
  it("holds for the same with more in its objects, and for nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(keepsAll(value, structuredClone(value))).toBe(true);
        expect(keepsAll({ a: value }, { a: structuredClone(value), b: 1 })).toBe(true);
        expect(keepsAll({ a: value, b: 1 }, { a: value })).toBe(false);
        expect(keepsAll([value], [value, 1])).toBe(false);
        expect(keepsAll([value], { 0: value })).toBe(false);
      }),
    );
    expect(keepsAll(-0, 0)).toBe(false);
    expect(keepsAll(new Uint8Array([1]), { 0: 1 })).toBe(false);
  });
});
