import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyCondition, PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import type { WireObject } from "../../../wire/value.ts";
import { compilePolicies } from "../compile-contents.ts";
import type { PolicyFinding } from "../policy.ts";
import { comparePolicies } from "./compare.ts";
import { parsePolicies } from "./parse.ts";

const base: PolicyDefinition = { id: "p", tools: ["refund"], when: { amount: { gt: 500 } }, then: "require_approval" };
const effects = (was: Partial<PolicyDefinition>, now: Partial<PolicyDefinition>) =>
  comparePolicies([{ ...base, ...was }], [{ ...base, ...now }]).map(({ effect, what }) => `${effect}: ${what}`);

describe("a change of a policy", () => {
  const limit = { count: "calls", max: 10, window_s: 60 } as const;
  const cases: [name: string, was: Partial<PolicyDefinition>, now: Partial<PolicyDefinition>, said: string[]][] = [
    ["to nothing else", {}, { reason: "other words" }, []],
    ["to a higher threshold", {}, { when: { amount: { gt: 1000 } } }, ["loosens: when amount gt 500 -> 1000"]],
    ["to a lower threshold", {}, { when: { amount: { gt: 100 } } }, ["tightens: when amount gt 500 -> 100"]],
    ["to more tools", {}, { tools: ["refund", "pay"] }, ['tightens: tools ["refund"] -> ["refund","pay"]']],
    ["to other tools", {}, { tools: ["pay"] }, ['unclear: tools ["refund"] -> ["pay"]']],
    ["to an exception", {}, { except: ["refund.test"] }, ['loosens: except [] -> ["refund.test"]']],
    ["to a deny", {}, { then: "deny" }, ['tightens: then "require_approval" -> "deny"']],
    ["to a shadow", {}, { shadow: true }, ["loosens: shadow none -> true"]],
    [
      "to a second condition",
      {},
      { when: { amount: { gt: 500 }, kind: { eq: "x" } } },
      ['loosens: when kind none -> {"eq":"x"}'],
    ],
    ["to no condition, where it only asks", {}, { when: {} }, ['unclear: when amount {"gt":500} -> none']],
    [
      "to no condition, where it denies",
      { then: "deny" },
      { then: "deny", when: {} },
      ['tightens: when amount {"gt":500} -> none'],
    ],
    [
      "to a missing argument that does not count",
      {},
      { when: { amount: { gt: 500, missing: "no_match" } } },
      ['loosens: when amount missing "deny" -> "no_match"'],
    ],
    ["to two approvers", {}, { approval: { count: 2 } }, ["tightens: approval count 1 -> 2"]],
    ["to a client's yes", {}, { approval: { by: "client" } }, ['loosens: approval by "operator" -> "client"']],
    ["to a role", {}, { approval: { roles: ["lead"] } }, ['tightens: approval roles none -> ["lead"]']],
    ["to a longer grant", {}, { approval: { expires_s: 7200 } }, ["loosens: approval expires_s 3600 -> 7200"]],
    [
      "to more scopes",
      {},
      { approval: { scopes: ["once", "exact"] } },
      ['loosens: approval scopes ["once"] -> ["once","exact"]'],
    ],
    ["to a higher limit", { limit }, { limit: { ...limit, max: 20 } }, ["loosens: limit max 10 -> 20"]],
    ["to a longer window", { limit }, { limit: { ...limit, window_s: 600 } }, ["tightens: limit window_s 60 -> 600"]],
    [
      "to more different values",
      { limit: { distinct: "to", max: 5, window_s: 60 } },
      { limit: { distinct: "to", max: 9, window_s: 60 } },
      ["loosens: limit max 5 -> 9"],
    ],
    [
      "to fewer bytes",
      { limit: { volume: "arguments", max_bytes: 500, window_s: 60 } },
      { limit: { volume: "arguments", max_bytes: 100, window_s: 60 } },
      ["tightens: limit max_bytes 500 -> 100"],
    ],
    [
      "to repeats in place of calls",
      { limit },
      { limit: { repeats: "same_call", max: 10, window_s: 60 } },
      ['unclear: limit of "calls" -> "same_call"'],
    ],
    [
      "to another argument's different values",
      { limit: { distinct: "to", max: 5, window_s: 60 } },
      { limit: { distinct: "cc", max: 5, window_s: 60 } },
      ['unclear: limit of "distinct to" -> "distinct cc"'],
    ],
    [
      "to more declared effects",
      { effects: ["write"] },
      { effects: ["write", "idempotent"] },
      ['tightens: effects ["write"] -> ["write","idempotent"]'],
    ],
    ["to tools of one effect only", {}, { effects: ["write"] }, ['loosens: effects none -> ["write"]']],
    [
      "to sparing one more effect",
      { not_effects: ["read"] },
      { not_effects: ["read", "idempotent"] },
      ['loosens: not_effects ["read"] -> ["read","idempotent"]'],
    ],
    [
      "to longer arguments",
      { arguments_over_bytes: 100 },
      { arguments_over_bytes: 200 },
      ["loosens: arguments_over_bytes 100 -> 200"],
    ],
    [
      "to counting apart",
      { limit },
      { limit: { ...limit, per: ["principal"] } },
      ['loosens: limit per [] -> ["principal"]'],
    ],
    [
      "to other hours",
      { outside: { zone: "UTC", to: "17:00" } },
      { outside: { zone: "UTC", to: "18:00" } },
      ['unclear: outside {"zone":"UTC","to":"17:00"} -> {"zone":"UTC","to":"18:00"}'],
    ],
    [
      "to a type more in a list",
      { when: { a: { in: ["x"] } } },
      { when: { a: { in: ["x", 1] } } },
      ['unclear: when a in ["x"] -> ["x",1]'],
    ],
  ];
  for (const [name, was, now, said] of cases) it(name, () => expect(effects(was, now)).toEqual(said));

  it("of a shadow, there and gone, is neither", () => {
    const shadow: PolicyDefinition = { ...base, shadow: true };
    expect(effects({ shadow: true }, { shadow: true, when: {} })).toEqual(['neither: when amount {"gt":500} -> none']);
    expect(comparePolicies([shadow], [])).toMatchObject([
      { effect: "neither", what: "removed: a shadow require_approval" },
    ]);
    expect(comparePolicies([], [shadow])).toMatchObject([{ effect: "neither" }]);
  });

  it("adds and takes away by id", () => {
    expect(comparePolicies([base], [{ ...base, id: "q" }])).toEqual([
      { id: "p", kind: "removed", effect: "loosens", what: "removed: require_approval" },
      { id: "q", kind: "added", effect: "tightens", what: "added: require_approval" },
    ]);
  });
});

/** The claim that matters: what is said to tighten alone lets nothing more through, whatever the call. */
describe("what only tightens", () => {
  const number = fc.constantFrom(1, 2, 3);
  const scalar = fc.constantFrom<string | number | boolean | null>("a", "b", 1, 2, true, null);
  const some = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
  const condition = fc
    .record(
      {
        gt: number,
        lte: number,
        in: some(scalar),
        not_in: some(scalar),
        eq: scalar,
        minLength: number,
        maxLength: number,
        missing: fc.constantFrom<"deny" | "no_match" | "match">("deny", "no_match", "match"),
      },
      { requiredKeys: [] },
    )
    .filter((one) => Object.keys(one).some((key) => key !== "missing")) as fc.Arbitrary<PolicyCondition>;
  const role = fc.constantFrom("r1", "r2");
  const policy = fc.record(
    {
      id: fc.constant("p"),
      tools: some(fc.constantFrom("t1", "t2", "*")),
      then: fc.constantFrom<"deny" | "require_approval">("deny", "require_approval"),
      except: some(fc.constantFrom("t1", "t2")),
      when: fc.dictionary(fc.constantFrom("x", "y[]"), condition, { maxKeys: 2 }),
      who: fc
        .record(
          {
            roles: some(role),
            not_roles: some(role),
            principals: some(fc.constantFrom("p1", "p2")),
            not_principals: some(fc.constantFrom("p1", "p2")),
          },
          { requiredKeys: [] },
        )
        .filter((one) => Object.keys(one).length > 0),
      shadow: fc.constant(true as const),
    },
    { requiredKeys: ["id", "tools", "then"] },
  ) as fc.Arbitrary<PolicyDefinition>;
  const value = fc.oneof(scalar, fc.constantFrom<unknown>("abc", Number.NaN, [1], ["a", "b"], {}, 3, 4));
  const call = fc.record({
    action: fc.constantFrom("t1", "t2", "t3"),
    args: fc.record({ x: value, y: fc.oneof(value, fc.array(value, { maxLength: 3 })) }, { requiredKeys: [] }),
    principal: fc.constantFrom("p1", "p2", null),
  });
  const rank = { SKIP: 0, ALLOW: 0, REQUIRE_APPROVAL: 1, DENY: 2 } as const;
  const principals = { p1: { roles: ["r1"] }, p2: { roles: ["r2"] } };
  const judge = (
    definition: PolicyDefinition,
    { action, args, principal }: { action: string; args: unknown; principal: string | null },
  ): PolicyFinding["answer"] =>
    compilePolicies(parsePolicies(JSON.parse(JSON.stringify([definition])), "t"), principals).policies.judge({
      action,
      args: args as WireObject,
      principal,
      identity: null,
      parent_principal: null,
      effect: null,
      now_ms: 0,
    }).answer;

  it("denies and asks wherever it did before", () => {
    // Two that differ in one part, so that most pairs say one thing.
    const pair = fc
      .tuple(policy, policy, fc.constantFrom("tools", "then", "except", "when", "who", "shadow"))
      .map(([was, other, key]) => {
        const { [key as "when"]: part, ...rest } = other;
        const { [key as "when"]: _gone, ...kept } = was;
        return [was, (part === undefined ? kept : { ...kept, [key]: part }) as PolicyDefinition, rest] as const;
      });
    fc.assert(
      fc.property(pair, fc.array(call, { minLength: 1, maxLength: 12 }), ([was, now], calls) => {
        const changes = comparePolicies([was], [now]);
        if (changes.some(({ effect }) => effect !== "tightens")) return;
        for (const one of calls) expect(rank[judge(now, one)]).toBeGreaterThanOrEqual(rank[judge(was, one)]);
      }),
      { numRuns: 1_000 },
    );
  });
});
