import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ScopeSource } from "../../daemon/scopes/schema.ts";
import { type Asked, ask } from "../kit/asking.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { type ScopeOffice, scopeOffice } from "../kit/scopes.ts";
import { tokenOffice } from "../kit/tokens.ts";

const rules = ruleModule(
  [
    rule(
      "doubles",
      "return event.args.doubled ? undefined : rewrite({ amount: event.args.amount * 2, doubled: true });",
      {
        actions: ["refund.doubled"],
      },
    ),
  ].join(),
);

const document = parse(`
id: acme
version: 1
templates:
  tools:
    params: { allowed: { type: strings, merge: union } }
    policy: { tools: ["*"], except: { param: allowed }, then: deny, reason: no tool of this principal }
  ceiling:
    params: { max: { type: number } }
    policy: { tools: [refund, refund.doubled], when: { amount: { gt: { param: max } } }, then: deny }
  asked:
    params: { over: { type: number } }
    policy: { tools: [refund], when: { amount: { gt: { param: over } } }, then: require_approval }
  few:
    params: { most: { type: number } }
    policy: { tools: [mail], limit: { count: calls, max: { param: most }, window_s: 3600 } }
scopes:
  acme:
    - { template: tools, params: { allowed: [ping] } }
    - { template: few, params: { most: 2 } }
  acme/pay:
    - { template: tools, params: { allowed: [refund, refund.doubled, mail] } }
    - { template: ceiling, params: { max: 100 } }
    - { template: asked, params: { over: 50 } }
  acme/pay/night:
    - { template: ceiling, params: { max: 10 }, delegated_from: acme/pay }
    - { template: few, params: { most: 1 } }
  acme/idle:
    - { template: tools, enabled: false }
    - { template: few, enabled: false }
`) as ScopeSource;

const source = (changes: Partial<ScopeSource> = {}): ScopeSource => ({ ...document, ...changes });

let place: Place;
let office: ScopeOffice;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(rules);
  office = await scopeOffice(place);
  await office.put(source());
  daemon = await startDaemon(place);
});
afterAll(async () => {
  await daemon?.stop();
});

const as = (principal: string | null, action: string, args: Record<string, unknown> = {}): Promise<Asked> =>
  ask(place, action, args, { principal });

describe("what a principal may do is what its scopes say", () => {
  test("an action that no list of its scopes has is denied, by the template's name", async () => {
    expect(await as("acme/pay", "refund", { amount: 5 })).toMatchObject({ verdict: "ALLOW", code: "unknown_allowed" });
    expect(await as("acme", "refund", { amount: 5 })).toMatchObject({
      verdict: "BLOCK",
      code: "policy_denied",
      policy_id: "scope:tools",
      reason: "no tool of this principal",
    });
  });

  test("a principal below a scope is judged by it; a deeper scope's value overrides", async () => {
    expect(await as("acme/pay/agent42", "refund", { amount: 101 })).toMatchObject({ policy_id: "scope:ceiling" });
    expect(await as("acme/pay/night/agent1", "refund", { amount: 11 })).toMatchObject({
      verdict: "BLOCK",
      policy_id: "scope:ceiling",
    });
    expect(await as("acme/pay/night", "refund", { amount: 10 })).toMatchObject({ verdict: "ALLOW" });
  });

  test("the final arguments are judged: a rewrite that goes over the maximum is denied", async () => {
    expect(await as("acme/pay", "refund.doubled", { amount: 50 })).toMatchObject({ verdict: "MODIFY" });
    expect(await as("acme/pay", "refund.doubled", { amount: 51 })).toMatchObject({
      verdict: "BLOCK",
      policy_id: "scope:ceiling",
    });
  });

  test("a template may ask a person", async () => {
    expect(await as("acme/pay", "refund", { amount: 51 })).toMatchObject({ code: "escalated_operator" });
  });

  test("a limit counts the calls of the scope that binds it, and of those below that inherit it", async () => {
    const sent = async (principal: string) => (await as(principal, "mail", { to: principal })).verdict;
    expect([await sent("acme/pay/a"), await sent("acme/pay/b"), await sent("acme/pay/c")]).toEqual([
      "ALLOW",
      "ALLOW",
      "BLOCK",
    ]);
    expect([await sent("acme/pay/night/a"), await sent("acme/pay/night/b")]).toEqual(["ALLOW", "BLOCK"]);
  });

  test.each([
    ["nobody", null],
    ["a principal of another tree", "globex/pay"],
    ["the beginning of a name", "acm"],
    ["a name that goes on", "acmes"],
    ["an empty segment", "acme//pay"],
    ["a slash at the end", "acme/pay/"],
    ["a slash at the beginning", "/acme/pay"],
    ["another case", "Acme/pay"],
    ["an invisible character", "acme\u200b/pay"],
    ["a scope in which nothing is bound any more", "acme/idle"],
    ["everything that an object has", "__proto__"],
  ])("unknown, and blocked: %s", async (_name, principal) => {
    expect(await as(principal, "ping")).toMatchObject({ verdict: "BLOCK", code: "scope_unknown", policy_id: null });
  });

  test("the receipt names the document, and the trace what each template said", async () => {
    const { call_id } = await as("acme/pay", "refund", { amount: 500 });
    // The first checkpoint is made within a second of the first receipt.
    await until("the log is whole", async () => (await interlock(place, ["receipts", "verify"])).code === 0);
    const receipt = (await receiptsOf(place)).find((one) => one.call_id === call_id);
    expect(receipt).toMatchObject({ scope: "acme@1", code: "policy_denied", policy_id: "scope:ceiling" });
    const trace = ((receipt?.trace ?? []) as string[]).map((entry) => entry.replace(/;us=\d+$/, ""));
    expect(trace).toEqual([
      "identity:SKIP",
      "quarantine:SKIP",
      "idempotency:SKIP",
      "evidence:SKIP",
      "scope/ceiling:DENY",
      "scope/asked:REQUIRE_APPROVAL",
      "scope:DENY",
    ]);
  });

  test("a result is judged by no scope", async () => {
    const { RemoteEngine } = await import("../../client-node/index.ts");
    const engine = new RemoteEngine(place.socket, { principal: "globex" });
    const { verdictName } = await engine.evaluate({ action: "ping", args: { result: 1 }, phase: "result" });
    await engine.close();
    expect(verdictName).toBe("ALLOW");
  });
});

describe("a reload", () => {
  const reload = () => interlock(place, ["rules", "reload"]);

  test("serves a newer document from then on, and the ledger says which came after which", async () => {
    const { scopes } = source();
    const [before, after] = [
      await office.put(source()),
      await office.put(source({ version: 2, scopes: { acme: scopes.acme as never } })),
    ];
    expect((await reload()).code).toBe(0);
    expect(await as("acme/pay", "refund", { amount: 5 })).toMatchObject({ verdict: "BLOCK", policy_id: "scope:tools" });
    const changes = (await receiptsOf(place)).filter(({ event }) => event === "scopes_changed");
    expect(changes).toHaveLength(2);
    expect(changes[0]?.detail).toMatch(
      /^scope document acme@1 sha256:[0-9a-f]{64}, signed by [0-9a-f]{16}; before: none$/,
    );
    expect(changes[1]?.detail).toBe(
      `scope document acme@2 ${after}, signed by ${office.key.keyId}; before: ${/sha256:\w+/.exec(changes[0]?.detail as string)?.[0]}`,
    );
    expect(before).not.toBe(after);
  });

  test("an older document, or one of its version with other contents, is refused, and what is served stays", async () => {
    await office.put(source());
    const older = await reload();
    expect(older.code).toBe(1);
    expect(older.stderr).toContain("is version 1 of acme; version 2 was served");
    await office.put(source({ version: 2 }));
    const other = await reload();
    expect(other.stderr).toContain("is version 2 of acme with other contents than were served; raise its version");
    expect(await as("acme/pay", "refund", { amount: 5 })).toMatchObject({ policy_id: "scope:tools" });
  });

  test("a configuration that names none any more serves none, and the ledger says so", async () => {
    const written = await readFile(place.config, "utf8");
    await writeFile(place.config, written.replace("scope_document: scopes.signed.json\n", ""));
    expect((await reload()).code).toBe(0);
    expect(await as("globex", "ping")).toMatchObject({ verdict: "ALLOW" });
    await writeFile(place.config, written);
    await office.put(source({ version: 3 }));
    expect((await reload()).code).toBe(0);
    expect(await as("globex", "ping")).toMatchObject({ code: "scope_unknown" });
    const changes = (await receiptsOf(place))
      .filter(({ event }) => event === "scopes_changed")
      .map(({ detail }) => detail);
    expect(changes.at(-2)).toMatch(/^no scope document; before: sha256:[0-9a-f]{64}$/);
    expect(changes.at(-1)).toMatch(/^scope document acme@3 sha256:[0-9a-f]{64}, signed by [0-9a-f]{16}; before: none$/);
  });

  test("a document that expires while it is served blocks every call from then on", async () => {
    const end_ms = Math.ceil((Date.now() + 3_000) / 1000) * 1000;
    const not_after = `${new Date(end_ms).toISOString().slice(0, 19)}Z`;
    await office.put(source({ version: 4, not_after }));
    expect((await reload()).code).toBe(0);
    expect(await as("acme", "ping")).toMatchObject({ verdict: "ALLOW" });
    await new Promise((resolve) => setTimeout(resolve, end_ms - Date.now() + 50));
    expect(await as("acme", "ping")).toMatchObject({ verdict: "BLOCK", code: "scope_expired" });
    await office.put(source({ version: 5 }));
    expect((await reload()).code).toBe(0);
    expect(await as("acme", "ping")).toMatchObject({ verdict: "ALLOW" });
  });
});

test("whom a token binds is judged by his own scopes, whatever the event leaves out or claims", async () => {
  const bound = await makePlace(rules, "unknown: allow\nprincipals: token\naudience: here\n");
  const tokens = await tokenOffice(bound, "here");
  const tokenKey = (JSON.parse(await readFile(join(bound.home, "keyring.json"), "utf8")) as { keys: object[] }).keys;
  const scopes = await scopeOffice(bound);
  const keyring = JSON.parse(await readFile(join(bound.home, "keyring.json"), "utf8")) as { keys: object[] };
  await writeFile(
    join(bound.home, "keyring.json"),
    JSON.stringify({ ...keyring, keys: [...keyring.keys, ...tokenKey] }),
  );
  await scopes.put(source());
  const serving = await startDaemon(bound);
  const token = tokens.token("acme/pay");
  const put = (principal: string | null, amount: number) => ask(bound, "refund", { amount }, { token, principal });
  expect(await put(null, 5)).toMatchObject({ verdict: "ALLOW" });
  expect(await put(null, 101)).toMatchObject({ verdict: "BLOCK", policy_id: "scope:ceiling" });
  expect(await put("acme/pay/night", 11)).toMatchObject({ verdict: "BLOCK", policy_id: "scope:ceiling" });
  expect(await put("acme", 5)).toMatchObject({ verdict: "BLOCK", policy_id: null });
  const { call_id } = await ask(bound, "refund", { amount: 5 }, { token: tokens.token("globex") });
  await serving.stop();
  const receipt = (await receiptsOf(bound)).find((one) => one.call_id === call_id);
  expect(receipt).toMatchObject({ code: "scope_unknown", scope: "acme@1", identity: "globex", principal: "globex" });
});

test("doctor says where the document answered before the rule that it asks about", async () => {
  const place = await makePlace(rules, "unknown: allow\n");
  const scopes = await scopeOffice(place);
  await scopes.put(source());
  const serving = await startDaemon(place);
  const { stdout, stderr } = await interlock(place, ["doctor"]);
  expect(`${stdout}${stderr}`).toMatch(
    /a call that interlock\.self\.\S+ must block is blocked: \S+: BLOCK by the scope document, before its rule was asked/,
  );
  await serving.stop();
});
