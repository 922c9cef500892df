import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { PolicyDefinition, Principals } from "../../../rules/contracts/policy-definition.ts";
import type { WireObject } from "../../../wire/value.ts";
import { compilePolicies } from "../compile-contents.ts";
import type { PolicyCall, PolicyFinding } from "../policy.ts";
import { parsePolicies } from "./parse.ts";
import type { policySchema } from "./schema.ts";

/** What a TypeScript author is told, and what is parsed, are the same keys. */
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const sameKeys: Equal<keyof z.input<typeof policySchema>, keyof PolicyDefinition> = true;

const friday_noon_ms = Date.UTC(2026, 10, 27, 12);
type Call = Partial<PolicyCall>;

const policiesOf = (definitions: readonly PolicyDefinition[], principals: Principals = {}) =>
  compilePolicies(parsePolicies(JSON.parse(JSON.stringify(definitions)), "test"), principals).policies;

const judged = (
  definition: Omit<PolicyDefinition, "id" | "tools">,
  call: Call,
  principals?: Principals,
): PolicyFinding =>
  policiesOf([{ id: "p", tools: ["refund"], ...definition }], principals).judge({
    action: "refund",
    args: {},
    principal: "agent",
    identity: null,
    parent_principal: null,
    effect: null,
    now_ms: friday_noon_ms,
    ...call,
  });

const over500 = (args: unknown, more: object = {}): PolicyFinding =>
  judged({ when: { amount: { gt: 500, ...more } }, then: "deny" }, { args: args as WireObject });

describe("a threshold", () => {
  it("holds beyond itself and not at it", () => {
    expect(over500({ amount: 500 }).answer).toBe("ALLOW");
    expect(over500({ amount: 500.01 })).toMatchObject({
      answer: "DENY",
      denial: { policyId: "p", attributedTo: "amount" },
      said: [["p", "DENY"]],
    });
  });

  it.each([
    ["a text of digits", { amount: "9999" }],
    ["a text below it", { amount: "1" }],
    ["a text with spaces", { amount: " 9999 " }],
    ["a text with an exponent", { amount: "1e9" }],
    ["a text of infinity", { amount: "inf" }],
    ["true", { amount: true }],
    ["false", { amount: false }],
    ["null", { amount: null }],
    ["NaN", { amount: Number.NaN }],
    ["1e400", { amount: Number("1e400") }],
    ["less than every number", { amount: Number("-1e400") }],
    ["a list of it", { amount: [9999] }],
    ["a list of little", { amount: [1] }],
    ["an object of it", { amount: { value: 9999 } }],
    ["bytes", { amount: new Uint8Array([1]) }],
    ["another name", { amt: 9999 }],
    ["another case", { Amount: 9999 }],
    ["a place further in", { order: { amount: 9999 } }],
    ["nothing", {}],
  ])("denies %s: nobody can say that it is below", (_what, args) => {
    expect(over500(args)).toMatchObject({ answer: "DENY", denial: { policyId: "p", attributedTo: "amount" } });
  });

  it("denies what cannot be read even where it would only ask, or count", () => {
    const asks = judged({ when: { amount: { gt: 500 } }, then: "require_approval" }, { args: { amount: "9999" } });
    expect(asks).toMatchObject({ answer: "DENY", needs: [] });
    const counts = judged(
      { when: { amount: { gt: 500 } }, limit: { count: "calls", max: 9, window_s: 60 } },
      { args: { amount: "9999" } },
    );
    expect(counts).toMatchObject({ answer: "DENY", limits: [] });
  });

  it("says for itself what a missing argument means, and never what a wrong one does", () => {
    expect(over500({}, { missing: "no_match" }).answer).toBe("ALLOW");
    expect(over500({}, { missing: "match" }).answer).toBe("DENY");
    expect(over500({ amount: "9999" }, { missing: "no_match" }).answer).toBe("DENY");
    const nested = judged(
      { when: { "order.amount": { gt: 500, missing: "no_match" } }, then: "deny" },
      { args: { order: [{ amount: 9999 }] } },
    );
    expect(nested.answer).toBe("DENY");
  });

  it("of any element holds for one, and is denied for one that cannot be read", () => {
    const items = (amounts: readonly unknown[]) =>
      judged(
        { when: { "items[].amount": { gt: 500 } }, then: "require_approval" },
        { args: { items: amounts.map((amount) => ({ amount })) } as WireObject },
      ).answer;
    expect(items([1, 2])).toBe("ALLOW");
    expect(items([1, 501])).toBe("REQUIRE_APPROVAL");
    expect(items([501, "1"])).toBe("DENY");
    expect(items([])).toBe("ALLOW");
    expect(
      judged({ when: { "items[].amount": { gt: 500 } }, then: "deny" }, { args: { items: { amount: 1 } } }).answer,
    ).toBe("DENY");
    expect(judged({ when: { "items[].amount": { gt: 500 } }, then: "deny" }, { args: {} }).answer).toBe("DENY");
  });

  it("lets pass only finite numbers that are not beyond it, of all values there are", () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.double(),
      fc.constantFrom("9999", true, Number.NaN, Number("1e400"), -0),
      fc.bigInt(),
    );
    fc.assert(
      fc.property(anything, fc.double({ noNaN: true, noDefaultInfinity: true }), (amount, limit) => {
        const { answer } = judged(
          { when: { amount: { gt: limit } }, then: "deny" },
          { args: { amount } as WireObject },
        );
        expect(answer).toBe(
          typeof amount === "number" && Number.isFinite(amount) && !(amount > limit) ? "ALLOW" : "DENY",
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("is not passed by an amount in any other place", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom("amt", "Amount", "amount ", "AMOUNT", "amounts"),
        (inner, name) => {
          expect(over500({ [name]: inner }).answer).toBe("DENY");
        },
      ),
    );
  });
});

describe("a list", () => {
  const field = (condition: object, value: unknown) =>
    judged({ when: { field: condition }, then: "deny" }, { args: { field: value } as WireObject }).answer;
  const ssn = { in: ["ssn"], normalize: "casefold_trim" };

  it.each(["ssn", "SSN", " ssn", "ssn\t", "Ssn\u00a0", "ＳＳＮ", "s\u200bsn", "ſsn", "\u00adssn"])(
    "finds %j in normal form",
    (value) => {
      expect(field(ssn, value)).toBe("DENY");
    },
  );

  it("finds the exact text alone without it", () => {
    expect(field({ in: ["ssn"] }, "ssn")).toBe("DENY");
    expect(field({ in: ["ssn"] }, "SSN")).toBe("ALLOW");
    expect(field(ssn, "email")).toBe("ALLOW");
  });

  it.each([
    ["a list", ["ssn"]],
    ["an object", { ssn: 1 }],
    ["a number", 7],
    ["true", true],
    ["null", null],
  ])("denies %s where a text is compared", (_what, value) => {
    expect(field(ssn, value)).toBe("DENY");
  });

  it("allows what is named and nothing else", () => {
    const only = { not_in: ["email", "phone"] };
    expect(field(only, "email")).toBe("ALLOW");
    expect(field(only, "Email")).toBe("DENY");
    expect(field(only, "ssn")).toBe("DENY");
  });

  it("compares without conversion", () => {
    expect(field({ eq: 1 }, true)).toBe("DENY");
    expect(field({ eq: 1 }, "1")).toBe("DENY");
    expect(field({ eq: 1 }, 2)).toBe("ALLOW");
    expect(field({ eq: true }, "true")).toBe("DENY");
    expect(field({ ne: 1 }, 1)).toBe("ALLOW");
    expect(field({ eq: null }, null)).toBe("DENY");
    expect(field({ eq: null }, "x")).toBe("ALLOW");
    expect(field({ in: ["a", null] }, "b")).toBe("ALLOW");
  });

  it("judges patterns in linear time and lengths", () => {
    expect(field({ pattern: "^(a+)+$" }, `${"a".repeat(60_000)}b`)).toBe("ALLOW");
    expect(field({ pattern: "a" }, "a".repeat(70_000))).toBe("DENY");
    expect(field({ not_pattern: "^[a-z]+@corp\\.example$" }, "x@corp.example")).toBe("ALLOW");
    expect(field({ not_pattern: "^[a-z]+@corp\\.example$" }, "x@evil.example")).toBe("DENY");
    expect(field({ pattern: "a" }, 7)).toBe("DENY");
    expect(field({ minLength: 3 }, "ab")).toBe("ALLOW");
    expect(field({ minLength: 3 }, ["a", "b", "c"])).toBe("DENY");
    expect(field({ minLength: 3 }, 12345)).toBe("DENY");
  });
});

describe("conditions together", () => {
  const both = { currency: { eq: "USD" }, amount: { gt: 500 } };
  it("must all hold, and one that does not settles it", () => {
    expect(judged({ when: both, then: "deny" }, { args: { currency: "USD", amount: 501 } }).answer).toBe("DENY");
    expect(judged({ when: both, then: "deny" }, { args: { currency: "EUR", amount: 501 } }).answer).toBe("ALLOW");
    expect(judged({ when: both, then: "deny" }, { args: { currency: "EUR" } }).answer).toBe("ALLOW");
    expect(judged({ when: both, then: "deny" }, { args: { currency: "USD", amount: "1" } }).answer).toBe("DENY");
    expect(judged({ when: both, then: "deny" }, { args: { currency: 1, amount: 1 } }).answer).toBe("ALLOW");
  });
});

describe("who and when", () => {
  const principals = { clerk: { roles: ["finance"], tenant: "t1" }, guest: {} };
  const only = { who: { not_roles: ["finance"] }, then: "deny" } as const;
  it("lets only a role through, and nobody unknown", () => {
    expect(judged(only, { principal: "clerk" }, principals).answer).toBe("ALLOW");
    for (const principal of ["guest", "stranger", "__proto__", null])
      expect(judged(only, { principal }, principals).answer).toBe("DENY");
  });

  it("is about the principals that it names", () => {
    const denied = { who: { principals: ["guest"] }, then: "deny" } as const;
    expect(judged(denied, { principal: "guest" }).answer).toBe("DENY");
    expect(judged(denied, { principal: null }).answer).toBe("ALLOW");
    expect(judged({ who: { not_principals: ["guest"] }, then: "deny" }, { principal: null }).answer).toBe("DENY");
    expect(judged({ who: { roles: ["finance"] }, then: "deny" }, { principal: "clerk" }, principals).answer).toBe(
      "DENY",
    );
  });

  const at = (hours: PolicyDefinition["outside"], now: string) =>
    judged({ outside: hours!, then: "deny" }, { now_ms: Date.parse(now) }).answer;
  it("knows the hours of a zone", () => {
    const office = {
      days: ["mon", "tue", "wed", "thu", "fri"],
      from: "09:00",
      to: "17:30",
      zone: "Europe/Berlin",
    } as const;
    expect(at(office, "2026-11-27T08:00:00Z")).toBe("ALLOW");
    expect(at(office, "2026-11-27T07:59:59Z")).toBe("DENY");
    expect(at(office, "2026-11-27T16:29:00Z")).toBe("ALLOW");
    expect(at(office, "2026-11-27T16:30:00Z")).toBe("DENY");
    expect(at(office, "2026-11-28T10:00:00Z")).toBe("DENY");
    // Summer time: 07:00 UTC is nine o'clock.
    expect(at(office, "2026-07-03T07:00:00Z")).toBe("ALLOW");
  });

  it("counts hours over midnight to the day on which they begin", () => {
    const night = { days: ["fri"], from: "22:00", to: "06:00", zone: "UTC" } as const;
    expect(at(night, "2026-11-27T23:00:00Z")).toBe("ALLOW");
    expect(at(night, "2026-11-28T05:59:00Z")).toBe("ALLOW");
    expect(at(night, "2026-11-28T06:00:00Z")).toBe("DENY");
    expect(at(night, "2026-11-27T05:00:00Z")).toBe("DENY");
  });
});

describe("whoever is bound and acts under a name below his own", () => {
  const principals = {
    "acme/a": { roles: ["clerk"], tenant: "acme" },
    "acme/a/known": { tenant: "other" },
    "acme/a/none": {},
  };
  const bound = (principal: string, identity: string | null = "acme/a"): Call => ({ principal, identity });

  it.each<[string, PolicyDefinition["who"], Call, string]>([
    ["is who he is", { principals: ["acme/a"] }, bound("acme/a/x"), "DENY"],
    ["has the roles that a policy is about", { roles: ["clerk"] }, bound("acme/a/x"), "DENY"],
    ["is not spared for his own name", { not_principals: ["acme/a"] }, bound("acme/a/x"), "DENY"],
    ["nor for his role", { not_roles: ["clerk"] }, bound("acme/a/x"), "DENY"],
    ["is spared under a name that is", { not_principals: ["acme/a/x"] }, bound("acme/a/x"), "ALLOW"],
    ["is nobody else", { principals: ["acme/b"] }, bound("acme/a/x"), "ALLOW"],
    ["and where nobody is bound, a name is a name", { principals: ["acme/a"] }, bound("acme/a/x", null), "ALLOW"],
  ])("%s", (_name, who, call, answer) => {
    expect(judged({ ...(who === undefined ? {} : { who }), then: "deny" }, call, principals).answer).toBe(answer);
  });

  it.each<[string, "principal" | "tenant", Call, string | null]>([
    ["spends what is his", "principal", bound("acme/a/x"), "acme/a"],
    ["whatever the name", "principal", bound("acme/a/y/z"), "acme/a"],
    ["but not as one whom the signed data names", "principal", bound("acme/a/known"), "acme/a/known"],
    ["and of his tenant", "tenant", bound("acme/a/x"), "acme"],
    ["or that of the one who is named", "tenant", bound("acme/a/known"), "other"],
    ["and of his own where that one has none", "tenant", bound("acme/a/none"), "acme"],
    ["where nobody is bound, a name is a name", "principal", bound("acme/a/x", null), "acme/a/x"],
  ])("%s", (_name, per, call, counted) => {
    const limit = { count: "calls", max: 1, window_s: 60, per: [per] } as const;
    expect(judged({ limit }, call, principals).limits.map(({ counter }) => counter)).toEqual([["p", counted]]);
  });
});

describe("answers", () => {
  const call: PolicyCall = {
    action: "refund",
    args: { amount: 9000 },
    principal: "a",
    identity: null,
    parent_principal: null,
    effect: null,
    now_ms: 0,
  };
  const ask: PolicyDefinition = {
    id: "ask",
    tools: ["refund"],
    when: { amount: { gt: 500 } },
    then: "require_approval",
  };
  const deny: PolicyDefinition = { id: "deny", tools: ["refund"], when: { amount: { gt: 5000 } }, then: "deny" };

  it("a deny wins over an approval, in whatever order they are written", () => {
    for (const order of [
      [ask, deny],
      [deny, ask],
    ]) {
      const finding = policiesOf(order).judge(call);
      expect(finding).toMatchObject({ answer: "DENY", denial: { policyId: "deny" } });
      expect(finding.said).toEqual(order.map(({ id }) => [id, id === "deny" ? "DENY" : "REQUIRE_APPROVAL"]));
    }
  });

  it("a shadow says and does nothing, also beside a deny", () => {
    const shadow: PolicyDefinition = { ...deny, id: "shadow", shadow: true };
    expect(policiesOf([shadow]).judge(call)).toMatchObject({ answer: "SKIP", said: [["shadow", "SHADOW_DENY"]] });
    expect(policiesOf([{ ...ask, id: "s2", shadow: true }, ask]).judge(call)).toMatchObject({
      answer: "REQUIRE_APPROVAL",
      said: [
        ["s2", "SHADOW_REQUIRE_APPROVAL"],
        ["ask", "REQUIRE_APPROVAL"],
      ],
    });
    expect(policiesOf([deny, shadow]).judge(call).said).toEqual([
      ["deny", "DENY"],
      ["shadow", "SHADOW_DENY"],
    ]);
  });

  it("an approval says who, how many, how long, and for what", () => {
    const needs = {
      ...ask,
      approval: { roles: ["lead"], count: 2, expires_s: 60, scopes: ["exact", { shape: ["order_id"] }] },
    } as const;
    expect(policiesOf([needs]).judge(call).needs).toEqual([
      {
        policyId: "ask",
        reason: "policy ask asks for approval",
        attributedTo: "amount",
        by: "operator",
        roles: ["lead"],
        count: 2,
        expires_ms: 60_000,
        scopes: [{ kind: "once" }, { kind: "exact" }, { kind: "shape", paths: ["order_id"] }],
      },
    ]);
    expect(policiesOf([ask]).judge(call).needs[0]).toMatchObject({
      by: "operator",
      count: 1,
      expires_ms: 3_600_000,
      scopes: [{ kind: "once" }],
    });
  });

  it("a policy that fails denies, and names the error's type alone", () => {
    const hostile = {
      get amount(): number {
        throw new TypeError("secret");
      },
    };
    const finding = policiesOf([deny]).judge({ ...call, args: hostile });
    expect(finding).toMatchObject({ answer: "DENY", denial: { policyId: "deny" } });
    expect(JSON.stringify(finding)).not.toContain("secret");
  });
});

describe("limits", () => {
  const limit = (of: PolicyDefinition["limit"], args: unknown, principals?: Principals) =>
    judged({ limit: of! }, { args: args as WireObject, principal: "clerk" }, principals);

  it("count calls and sum arguments, per what they name", () => {
    expect(
      limit(
        { count: "calls", max: 20, window_s: 3600, per: ["principal", "tool", "tenant"] },
        {},
        { clerk: { tenant: "t1" } },
      ),
    ).toMatchObject({
      answer: "ALLOW",
      limits: [{ policyId: "p", counter: ["p", "clerk", "refund", "t1"], window_ms: 3_600_000, max: 20, amount: 1 }],
    });
    expect(
      limit({ sum: "amount", max: 1000, window_s: 60, per: ["args.customer"] }, { amount: 499, customer: "c1" }).limits,
    ).toEqual([
      {
        policyId: "p",
        reason: "more than 1000 of amount in 60 s",
        attributedTo: "amount",
        counter: ["p", "c1"],
        window_ms: 60_000,
        max: 1000,
        amount: 499,
        distinct: null,
      },
    ]);
    expect(
      limit({ sum: "lines[].amount", max: 1000, window_s: 60 }, { lines: [{ amount: 1 }, { amount: 2 }] }).limits[0]!
        .amount,
    ).toBe(3);
  });

  it.each([
    ["a text", { amount: "499", customer: "c" }],
    ["less than nothing", { amount: -1, customer: "c" }],
    ["NaN", { amount: Number.NaN, customer: "c" }],
    ["nothing", { customer: "c" }],
    ["nobody to count for", { amount: 1 }],
    ["a list to count for", { amount: 1, customer: ["c"] }],
    ["an object to count for", { amount: 1, customer: { id: "c" } }],
    ["null to count for", { amount: 1, customer: null }],
  ])("deny %s", (_what, args) => {
    expect(limit({ sum: "amount", max: 1000, window_s: 60, per: ["args.customer"] }, args)).toMatchObject({
      answer: "DENY",
      limits: [],
    });
  });

  it("count spellings of one text together where they say so", () => {
    const counterOf = (customer: string, normalize?: "casefold_trim") =>
      limit(
        {
          count: "calls",
          max: 1,
          window_s: 60,
          per: ["args.customer"],
          ...(normalize === undefined ? {} : { normalize }),
        },
        { customer },
      ).limits[0]!.counter[1];
    expect(counterOf(" C\u200b1 ", "casefold_trim")).toBe("c1");
    expect(counterOf(" C1 ")).toBe(" C1 ");
  });

  it("deny a sum that no number holds", () => {
    expect(limit({ sum: "a[]", max: 1, window_s: 60 }, { a: [1e308, 1e308] }).answer).toBe("DENY");
  });
});

describe("the index", () => {
  const all = policiesOf([
    { id: "named", tools: ["pay.card"], then: "deny" },
    { id: "below", tools: ["pay.*"], then: "deny" },
    { id: "deeper", tools: ["pay.bank.*"], except: ["pay.bank.read"], then: "deny" },
    { id: "unknown", tools: ["*"], except: ["pay.*", "read_file"], then: "deny" },
  ]);
  const said = (action: string) =>
    all
      .judge({ action, args: {}, principal: null, identity: null, parent_principal: null, effect: null, now_ms: 0 })
      .said.map(([id]) => id);
  it.each([
    ["pay.card", ["named", "below"]],
    ["pay.cash", ["below"]],
    ["pay", ["unknown"]],
    ["pay.bank.wire", ["below", "deeper"]],
    ["pay.bank.read", ["below"]],
    ["pay.bank.read.more", ["below", "deeper"]],
    ["read_file", []],
    ["anything", ["unknown"]],
    ["constructor", ["unknown"]],
    ["", ["unknown"]],
  ])("finds the policies about %s", (action, ids) => {
    expect(said(action)).toEqual(ids);
    expect(all.covers(action)).toBe(ids.length > 0);
  });

  it("finds what asking every policy finds", () => {
    const name = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("."));
    const patternOf = fc.oneof(
      name,
      name.map((text) => `${text}.*`),
      fc.constant("*"),
    );
    const policy = fc.record({
      tools: fc.array(patternOf, { minLength: 1, maxLength: 3 }),
      except: fc.array(patternOf, { minLength: 1, maxLength: 2 }),
    });
    const reaches = (pattern: string, action: string) =>
      pattern === "*" || pattern === action || (pattern.endsWith(".*") && action.startsWith(pattern.slice(0, -1)));
    fc.assert(
      fc.property(fc.array(policy, { minLength: 1, maxLength: 5 }), name, (list, action) => {
        const index = policiesOf(list.map((one, at) => ({ id: `p${at}`, then: "deny", ...one })));
        const wanted = list.flatMap(({ tools, except }, at) =>
          tools.some((one) => reaches(one, action)) && !except.some((one) => reaches(one, action)) ? [`p${at}`] : [],
        );
        const got = index
          .judge({ action, args: {}, principal: null, identity: null, parent_principal: null, effect: null, now_ms: 0 })
          .said.map(([id]) => id);
        expect(got).toEqual(wanted);
      }),
    );
  });
});

it("types and schema name the same keys", () => expect(sameKeys).toBe(true));
