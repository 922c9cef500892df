import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import { signRuleSet } from "../../rulesets/sign.ts";
import { now_ms, openWorkshop, type Workshop } from "../../rulesets/testing.ts";
import { check } from "./check.ts";
import { diff } from "./diff.ts";
import { explain } from "./explain.ts";

const text = (table: string, max = 500): string => `
id: refunds
version: 1
tools:
  - name: refund
    effect: write
    args: { order_id: { type: string }, customer: { type: string }, amount: { type: number } }
    bounds: { customer: { equals: { fact: orders, key: order_id, path: customer } } }
resolvers: { orders: { table: ${table} } }
policies:
  - id: refunds.ask
    tools: [refund]
    when: { amount: { gt: ${max} } }
    then: require_approval
    examples: [{ args: { amount: 501 }, expect: require_approval }]
  - id: refunds.night
    tools: [refund]
    outside: { from: "06:00", to: "22:00", zone: UTC }
    then: deny
  - { id: refunds.daily, tools: ["*"], limit: { count: calls, max: 20, window_s: 86400 } }
`;

let workshop: Workshop;
let path: string;
let table: string;
beforeAll(async () => {
  workshop = await openWorkshop();
  table = await workshop.write("orders.json", '{"ORD-1":{"customer":"c1"}}');
  path = await workshop.write("refunds.yaml", text(table));
});
afterAll(() => workshop.close());

const explained = async (call: unknown) =>
  (
    await explain({
      path,
      now_ms: Date.UTC(2026, 0, 2, 12),
      call: typeof call === "string" ? call : JSON.stringify(call),
    })
  ).lines;
const args = { order_id: "ORD-1", customer: "c1", amount: 600 };

describe("interlock policy check", () => {
  it("says what a file holds", async () => {
    expect(await check({ path, now_ms })).toMatchObject({
      exitCode: 0,
      lines: [
        "refunds: 1 tool, 3 policies, 0 principals",
        "  tool refund (write): repeats by arguments",
        "  policy refunds.ask: refund; require_approval",
        "  policy refunds.night: refund; deny",
        "  policy refunds.daily: *; limit",
        "1 of 1 example hold",
      ],
    });
  });

  it("says which tools and roles of a policy nothing in the file knows", async () => {
    const strange = await workshop.write(
      "strange.yaml",
      `tools: [{ name: pay, effect: write, args: {} }]
principals: { clerk: { roles: [finance] } }
policies:
  - { id: a, tools: [pya, "x.*"], then: deny }
  - { id: b, tools: [pay], who: { roles: [finanze, finance] }, then: deny }
  - { id: c, tools: [pay], who: { not_roles: [finance] }, then: deny }`,
    );
    expect((await check({ path: strange, now_ms })).lines.filter((line) => line.startsWith("  policy"))).toEqual([
      "  policy a: pya, x.*; deny (no contract here: pya)",
      "  policy b: pay; deny (nobody here is finanze)",
      "  policy c: pay; deny",
    ]);
  });

  it("answers 1 where an example does not hold, and 2 where the file does not", async () => {
    const wrong = await workshop.write("wrong.yaml", text(table, 700));
    expect(await check({ path: wrong, now_ms })).toMatchObject({
      exitCode: 1,
      json: { ok: false, failures: ["policy refunds.ask: example 1: expected require_approval, got allow"] },
    });
    const bad = await workshop.write("bad.yaml", "policies: [{ id: p }]");
    expect(await check({ path: bad, now_ms })).toMatchObject({
      exitCode: 2,
      json: { code: "bad_data", message: `${bad}:1:12: policies.0.tools: must be given: expected array` },
    });
    expect(await check({ path: join(workshop.folder, "none.yaml"), now_ms })).toMatchObject({ exitCode: 2 });
  });

  it("reads modules, and signed files once they are verified", async () => {
    const key = generateKeyPair();
    const { publicPath } = await writeKeyPair(join(workshop.folder, "team.key"), key);
    const out = join(workshop.folder, "refunds.ruleset.json");
    await signRuleSet({ entry: path, key, out, now_ms, not_after_ms: null });
    expect(await check({ path: out, trust: { trust: [publicPath], keyring: null }, now_ms })).toMatchObject({
      exitCode: 0,
      json: { id: "refunds" },
    });
    const other = await writeKeyPair(join(workshop.folder, "other.key"), generateKeyPair());
    expect(await check({ path: out, trust: { trust: [other.publicPath], keyring: null }, now_ms })).toMatchObject({
      exitCode: 2,
      json: { code: "wrong_key" },
    });
  });
});

describe("interlock policy explain", () => {
  it("says of each policy why", async () => {
    expect(await explained({ action: "refund", args })).toEqual([
      "ALLOW the contract of refund",
      "  looked at orders",
      "REQUIRE_APPROVAL refunds.ask",
      "  when amount: holds",
      "ALLOW refunds.night: not about this call",
      "  outside: does not hold",
      "ALLOW refunds.daily",
      "  takes 1 of 20",
      "so: REQUIRE_APPROVAL",
    ]);
  });

  it("judges by the time that the call names", async () => {
    expect(await explained({ action: "refund", args, at: "2026-01-02T23:00:00Z" })).toContain("so: DENY");
  });

  it("stops where the contract denies, and says each field", async () => {
    expect(await explained({ action: "refund", args: { ...args, customer: "c2" } })).toEqual([
      "DENY the contract of refund: customer is not the customer of orders",
      "  customer is not the customer of orders (fact)",
      "so: DENY",
    ]);
    expect(await explained({ action: "refund", args: { ...args, amount: "9999" } })).toContain(
      "  amount must be a number (invalid_type)",
    );
  });

  it("says what becomes of a call that no policy is about", async () => {
    const tool = "{ name: pay, effect: write, args: { amount: { type: number } } }";
    const alone = await workshop.write("alone.yaml", `tools: [${tool}]`);
    const explainedAlone = async (action: string) =>
      (await explain({ path: alone, now_ms, call: JSON.stringify({ action, args: { amount: 5 } }) })).lines;
    expect(await explainedAlone("pay")).toEqual(["ALLOW the contract of pay", "so: ALLOW"]);
    expect(await explainedAlone("read")).toEqual([
      "SKIP the contract of read: there is none",
      "so: SKIP, nothing here is about this call",
    ]);
  });

  it("says what it cannot read", async () => {
    const bare = await workshop.write(
      "bare.yaml",
      "policies: [{ id: p, tools: [pay], when: { amount: { gt: 5 } }, then: require_approval }]",
    );
    const { lines } = await explain({ path: bare, now_ms, call: '{"action":"pay","args":{"amount":"9999"}}' });
    expect(lines).toEqual([
      "SKIP the contract of pay: there is none",
      "DENY p",
      "  when amount: cannot be read: amount is not a finite number",
      "so: DENY",
    ]);
  });

  it.each([
    ["what is not JSON", "{", "must be JSON"],
    ["no action", '{"args":{}}', "must hold an action and args"],
    ["an unknown key", '{"action":"a","arg":{}}', "has an unknown key arg"],
    ["a principal that is no text", '{"action":"a","principal":7}', "has a principal that is no text"],
    ["a time that is none", '{"action":"a","at":"noon"}', "has an at that is no time"],
  ])("refuses %s", async (_what, call, message) => {
    expect(await explain({ path, now_ms, call })).toMatchObject({
      exitCode: 2,
      json: { message: expect.stringContaining(message) },
    });
  });
});

describe("interlock policy diff", () => {
  it("answers no where a candidate loosens", async () => {
    const next = await workshop.write(
      "next.yaml",
      text(table, 400).replace("max: 20", "max: 30").replace("effect: write", "effect: idempotent"),
    );
    const [before, after] = [
      { path, now_ms },
      { path: next, now_ms },
    ];
    expect(await diff({ before, after })).toMatchObject({
      exitCode: 1,
      lines: [
        "~ tool refund: another effect (unclear)",
        "~ policy refunds.ask: when amount gt 500 -> 400 (tightens)",
        "~ policy refunds.daily: limit max 20 -> 30 (loosens)",
        "1 loosen, 1 tighten, 1 unclear",
      ],
    });
    expect(await diff({ before, after: before })).toMatchObject({
      exitCode: 0,
      lines: ["0 loosen, 0 tighten, 0 unclear"],
    });
  });

  it("names a bound on a fact that is gone: the schema does not show it", async () => {
    const next = await workshop.write("unbound.yaml", text(table).replace(/^ +bounds:.*$/m, ""));
    const result = await diff({ before: { path, now_ms }, after: { path: next, now_ms } });
    expect(result).toMatchObject({
      exitCode: 1,
      lines: [
        '- tool refund: bound on customer {"equals":{"fact":"orders","key":"order_id","path":"customer"}} -> null (loosens)',
        "1 loosen, 0 tighten, 0 unclear",
      ],
    });
  });

  it("names tools and principals that come and go", async () => {
    const less = await workshop.write(
      "less.yaml",
      "policies: [{ id: p, tools: [x], then: deny }]\nprincipals: { clerk: { roles: [a] } }",
    );
    const result = await diff({ before: { path, now_ms }, after: { path: less, now_ms } });
    expect(result.lines).toContain("- tool refund: has no contract any more (loosens)");
    expect(result.lines).toContain('+ principal clerk: none -> {"roles":["a"]} (unclear)');
    expect(result.lines).toContain("+ policy p: added: deny (tightens)");
  });
});
