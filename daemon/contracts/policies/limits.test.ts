import { describe, expect, it } from "vitest";
import type { PolicyDefinition, PolicyLimit, Principals } from "../../../rules/contracts/policy-definition.ts";
import type { WireObject } from "../../../wire/value.ts";
import { compilePolicies } from "../compile-contents.ts";
import type { PolicyCall, PolicyFinding } from "../policy.ts";
import { parsePolicies } from "./parse.ts";

const policiesOf = (definitions: readonly PolicyDefinition[], principals: Principals = {}) =>
  compilePolicies(parsePolicies(JSON.parse(JSON.stringify(definitions)), "test"), principals).policies;

const asked = (definition: Omit<PolicyDefinition, "id" | "tools">, call: Partial<PolicyCall>): PolicyFinding =>
  policiesOf([{ id: "p", tools: ["*"], ...definition }], { lead: { roles: ["r"] } }).judge({
    action: "send",
    args: {},
    principal: "agent",
    identity: null,
    parent_principal: null,
    effect: null,
    now_ms: 0,
    ...call,
  });
const taken = (limit: PolicyLimit, args: unknown, call: Partial<PolicyCall> = {}) =>
  asked({ limit }, { args: args as WireObject, ...call });
const useOf = (limit: PolicyLimit, args: unknown, call: Partial<PolicyCall> = {}) => taken(limit, args, call).limits[0];
const refusal = (limit: unknown): string => {
  try {
    policiesOf([{ id: "p", tools: ["*"], limit: limit as PolicyLimit }]);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a limit on different values", () => {
  const limit: PolicyLimit = { distinct: "to", max: 5, per: ["principal"], window_s: 60 };

  it("counts each value of a call once", () => {
    expect(useOf(limit, { to: "a" })).toEqual({
      policyId: "p",
      reason: "more than 5 different to in 60 s",
      attributedTo: "to",
      counter: ["p", "agent"],
      window_ms: 60_000,
      max: 5,
      amount: 1,
      distinct: ["a"],
    });
    expect(useOf(limit, { to: ["a", "b", "a", 7, true] })?.distinct).toEqual(["a", "b", 7, true]);
    expect(useOf({ ...limit, distinct: "items[].to" }, { items: [{ to: "a" }, { to: ["a", "b"] }] })?.distinct).toEqual(
      ["a", "b"],
    );
  });

  it("counts spellings of one text together where it says so", () => {
    expect(useOf({ ...limit, normalize: "casefold_trim" }, { to: ["A@x.example", " a@X.example"] })?.distinct).toEqual([
      "a@x.example",
    ]);
  });

  it("takes nothing of a call that has none", () => {
    expect(taken({ ...limit, distinct: "to[]" }, { to: [] })).toMatchObject({ answer: "ALLOW", limits: [] });
  });

  it.each([
    ["nothing", {}],
    ["null", { to: null }],
    ["an object", { to: { name: "a" } }],
    ["a list with an object", { to: ["a", { name: "b" }] }],
    ["NaN", { to: Number.NaN }],
    ["bytes", { to: new Uint8Array([1]) }],
  ])("denies %s, and says where", (_what, args) => {
    expect(taken(limit, args)).toMatchObject({ answer: "DENY", denial: { attributedTo: "to" }, limits: [] });
  });

  it("denies a path that leads into a text", () => {
    expect(taken({ ...limit, distinct: "to.name" }, { to: "a" }).answer).toBe("DENY");
  });

  it("of more values than it could allow tells one more, whatever a call holds", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `host-${at}`);
    expect(useOf({ ...limit, max: 1_000 }, { to: many })?.distinct).toHaveLength(1_001);
    expect(useOf({ ...limit, max: 1_000, distinct: "destination" }, { to: many })?.distinct).toHaveLength(1_001);
  });

  it("of destinations takes hosts and addresses wherever they stand, and nothing of a call without any", () => {
    const destination: PolicyLimit = { ...limit, distinct: "destination" };
    expect(
      useOf(destination, { message: { cc: ["Jane <jane@b.example>"] }, url: "https://A.example/x" }),
    ).toMatchObject({
      distinct: ["jane@b.example", "a.example"],
      attributedTo: null,
      reason: "more than 5 destinations in 60 s",
    });
    expect(taken(destination, { path: "README.md" })).toMatchObject({ answer: "ALLOW", limits: [] });
  });

  it("of destinations denies arguments that are more than is looked at", () => {
    const args = { list: Array.from({ length: 200_001 }, () => 0) };
    expect(taken({ ...limit, distinct: "destination" }, args).answer).toBe("DENY");
  });
});

describe("a limit on repeats", () => {
  const limit: PolicyLimit = { repeats: "same_call", max: 30, window_s: 60 };
  const counterOf = (args: unknown, call: Partial<PolicyCall> = {}) =>
    JSON.stringify(useOf(limit, args, call)?.counter);

  it("counts calls of one tool with equal arguments by one principal", () => {
    const first = counterOf({ path: "a", n: 1 });
    expect(useOf(limit, { path: "a" })).toMatchObject({ amount: 1, max: 30, attributedTo: null, distinct: null });
    expect(useOf(limit, {})?.reason).toBe("more than 30 repeats of the same call in 60 s");
    expect(counterOf({ path: "b", n: 1 })).not.toBe(first);
    expect(counterOf({ path: "a", n: "1" })).not.toBe(first);
    expect(counterOf({ path: "a", n: 1 }, { action: "other" })).not.toBe(first);
    expect(counterOf({ path: "a", n: 1 }, { principal: "other" })).not.toBe(first);
    expect(counterOf({ path: "a", n: 1 }, { effect: "read" })).toBe(first);
  });

  it("counts names below a bound principal for him", () => {
    const bound = (principal: string) => counterOf({}, { principal, identity: "acme" });
    expect(bound("acme/one")).toBe(bound("acme/two"));
  });
});

describe("a limit on volume", () => {
  const limit: PolicyLimit = { volume: "arguments", max_bytes: 1_000, window_s: 60 };

  it.each([
    ["nothing", {}, 0],
    ["texts as UTF-8, with names", { text: "añ" }, 7],
    ["bytes as they are", { b: new Uint8Array(10) }, 11],
    ["numbers as they are written", { n: [1, true, null] }, 10],
    ["what is nested", { a: { b: [{ c: "d" }] } }, 4],
  ])("counts %s", (_what, args, amount) => {
    expect(useOf(limit, args)).toMatchObject({ amount, max: 1_000, attributedTo: null });
  });

  it("counts one argument where it names one", () => {
    expect(useOf({ ...limit, volume: "body" }, { body: "12345", other: "x" })).toMatchObject({
      amount: 5,
      attributedTo: "body",
      reason: "more than 1000 bytes of body in 60 s",
    });
    expect(taken({ ...limit, volume: "body" }, {})).toMatchObject({ answer: "DENY", denial: { attributedTo: "body" } });
  });
});

describe("what a limit is refused for", () => {
  const window_s = 60;
  it.each([
    ["two kinds", { count: "calls", repeats: "same_call", max: 1, window_s }, "must hold one of"],
    ["no kind", { max: 1, window_s }, "must hold one of"],
    ["a count without max", { count: "calls", window_s }, "limit.max: must be given with count"],
    ["a volume without max_bytes", { volume: "arguments", max: 1, window_s }, "limit.max_bytes: must be given"],
    [
      "a volume with max",
      { volume: "arguments", max_bytes: 1, max: 1, window_s },
      "limit.max: does not go with volume",
    ],
    [
      "more different values than it may know",
      { distinct: "to", max: 1_001, window_s },
      "limit.max: must be at most 1000",
    ],
    ["repeats of another kind", { repeats: "tool", max: 1, window_s }, "limit.repeats"],
    ["repeats per something", { repeats: "same_call", max: 1, per: ["tool"], window_s }, "limit.per: does not go with"],
    ["repeats normalized", { repeats: "same_call", max: 1, normalize: "casefold_trim", window_s }, "limit.normalize"],
    ["a path that is none", { distinct: "a..b", max: 1, window_s }, "limit.distinct: a path is written like"],
    ["half a byte", { volume: "arguments", max_bytes: 0.5, window_s }, "limit.max_bytes"],
  ])("%s", (_what, limit, message) => {
    expect(refusal(limit)).toContain(message);
  });
});

describe("effects", () => {
  const denied = (definition: object, effect: PolicyCall["effect"]) =>
    asked({ ...definition, then: "deny" }, { effect }).answer === "DENY";

  it.each([
    ["read", true, false],
    ["idempotent", false, true],
    ["write", false, true],
    [null, false, true],
  ] as const)("of a tool declared as %s", (effect, isRead, isNone) => {
    expect(denied({ effects: ["read"] }, effect)).toBe(isRead);
    expect(denied({ not_effects: ["read"] }, effect)).toBe(isNone);
  });

  it("both hold together", () => {
    const both = { effects: ["read", "write"], not_effects: ["read"] };
    expect([denied(both, "read"), denied(both, "write"), denied(both, null)]).toEqual([false, true, false]);
  });

  it("are declared, whatever a tool says of itself", () => {
    const args = { readOnlyHint: true, effect: "read", _meta: { interlock: { effect: "read" } } };
    const call = { action: "delete_user", args: args as WireObject, effect: null };
    expect(asked({ not_effects: ["read"], then: "deny" }, call).answer).toBe("DENY");
  });
});

it("arguments_over_bytes is about calls whose arguments are longer, and not as long", () => {
  const answer = (text: string) => asked({ arguments_over_bytes: 10, then: "deny" }, { args: { text } }).answer;
  expect([answer("123456"), answer("1234567")]).toEqual(["ALLOW", "DENY"]);
});
