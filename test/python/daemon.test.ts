import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { FallbackFiles } from "../../client-node/testing/fallback-places.ts";
import type { ScopeSource } from "../../daemon/scopes/schema.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { rule, ruleModule } from "../kit/rules.ts";
import { scopeOffice } from "../kit/scopes.ts";
import { tokenOffice } from "../kit/tokens.ts";
import { Program } from "./program.ts";

const running: Daemon[] = [];
afterEach(async () => {
  for (const daemon of running.splice(0)) if (daemon.isAlive()) await daemon.kill();
});

const started = async (place: Place): Promise<Daemon> => {
  const daemon = await startDaemon(place);
  running.push(daemon);
  return daemon;
};

const money = `
import { block, defineRules, rewrite } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
export default defineRules({
  id: "money",
  version: 1,
  tools: ["refund"].map((name) => defineTool({
    name,
    effect: "write",
    args: z.strictObject({ id: z.string().min(1), eur: z.number().positive().default(1) }),
    examples: [{ args: { id: "a" }, expect: "allow" }, { args: { id: 7 }, expect: "deny", errors: ["id"] }],
  })),
  policies: [
    { id: "money.ask", tools: ["refund"], when: { eur: { gt: 500 } }, then: "require_approval", approval: { by: "operator" } },
  ],
  rules: [
    ${rule("lower", "return event.args.limit > 10 ? rewrite({ limit: 10 }) : undefined;", { actions: ["search"] })},
    {
      id: "secrets",
      actions: ["read"],
      phase: "result",
      evaluate: ({ args }) => String(args.result).includes("password") ? block("a secret", { attributedTo: "result" }) : undefined,
      examples: [{ event: { action: "read", args: { result: "password" }, phase: "result" }, expect: "block" }],
    },
  ],
});
`;

test("calls and results of guarded Python functions are judged, rewritten, recorded and replayed by a real daemon", async () => {
  const place = await makePlace(money);
  await started(place);
  const program = new Program(
    `
paid = []
with RemoteEngine(settings["socket"], principal="acme/agent", timeout=20) as engine:
    @guard(engine)
    def refund(id, eur=1):
        paid.append(id)
        if id == "fails":
            raise ValueError("the value")
        return {"paid": eur, "to": id}

    @guard(engine)
    def search(query, limit=5):
        return [query, limit]

    @guard(engine)
    def read(path):
        return "the password is hunter2"

    say(refund("a", 20), search("x", limit=99))
    say(refund("a", 20), paid)
    try:
        refund("", -1)
    except BlockedError as error:
        say(sorted(one.loc for one in error.decision.errors), paid)
    try:
        read("/etc/motd")
    except BlockedError as error:
        say(str(error), error.decision.policy_id)
    for _ in range(2):
        try:
            refund("fails")
        except ValueError:
            pass
    stats = engine.stats
    say(paid, stats.replayed, stats.reported, stats.unanswered, stats.connections, stats.daemon)
`,
    { socket: place.socket },
  );
  expect(await program.all()).toEqual([
    [{ paid: 20, to: "a" }, ["x", 10]],
    [{ paid: 20, to: "a" }, ["a"]],
    [["eur", "id"], ["a"]],
    ["blocked action 'read': a secret", "secrets"],
    [["a", "fails", "fails"], 1, 2, 0, 1, "interlock/1.0.0"],
  ]);
  const receipts = (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
  expect(receipts[0]).toMatchObject({
    ...{ action: "refund", phase: "call", verdict: "ALLOW", principal: "acme/agent", grade: "sync/enforce" },
    client: expect.stringMatching(/^interlock-guard\/1\.0\.0 python\/3\./),
  });
  expect(JSON.stringify(receipts)).not.toMatch(/hunter2|the value/);
}, 60_000);

test("a call that an operator has to approve waits, also through a restart of the daemon, and runs as it was approved", async () => {
  const place = await makePlace(money);
  expect((await interlock(place, ["operators", "add", "ops"])).code).toBe(0);
  const before = await started(place);
  const program = new Program(
    `
async def main():
    async with AsyncRemoteEngine(settings["socket"], timeout=20, grace=15) as engine:
        @guard(engine, escalate="wait", escalate_deadline=50)
        async def refund(id, eur):
            return f"paid {eur} to {id}"

        try:
            await guard(engine)(refund.__wrapped__)("b", 900)
        except NotApprovedError as error:
            say("refused", error.approval_id is not None, error.call_id is not None)
        say(await refund("a", 900))

asyncio.run(main())
`,
    { socket: place.socket },
  );
  expect(await program.said()).toEqual(["refused", true, true]);
  const pending = async (): Promise<readonly { readonly approval_id: string }[]> => {
    const { stdout, code } = await interlock(place, ["approvals", "list", "--json"]);
    return code === 0 ? JSON.parse(stdout).approvals : [];
  };
  await until("both calls ask", async () => (await pending()).length === 2, 20_000);
  await before.kill();
  await started(place);
  for (const { approval_id } of await pending()) {
    expect((await interlock(place, ["approvals", "grant", approval_id])).code).toBe(0);
  }
  expect(await program.all()).toEqual([["paid 900 to a"]]);
}, 90_000);

test("threads that ask while the daemon is killed and started again see no block", async () => {
  const place = await makePlace(ruleModule(rule("ping", "return allow();")));
  const first = await started(place);
  const program = new Program(
    `
blocked = []
done = threading.Event()
with RemoteEngine(settings["socket"], timeout=30, grace=25) as engine:
    def ask():
        while not done.is_set():
            try:
                enforce_tool_call("ping", {}, engine)
            except BlockedError as error:
                blocked.append(str(error))
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    say("asking")
    sys.stdin.readline()
    done.set()
    for thread in threads:
        thread.join()
    say(blocked, engine.stats.answered > 0, engine.stats.connections > 1)
`,
    { socket: place.socket },
  );
  expect(await program.said()).toEqual(["asking"]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await first.kill();
  await started(place);
  await new Promise((resolve) => setTimeout(resolve, 300));
  program.tell("enough");
  expect(await program.all()).toEqual([[[], true, true]]);
  const decided = (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
  expect(new Set(decided.map(({ verdict }) => verdict))).toEqual(new Set(["ALLOW"]));
}, 90_000);

test("a token binds who acts; without a good one nothing is asked", async () => {
  const place = await makePlace(ruleModule(rule("ping", "return allow();")), "unknown: allow\nprincipals: token\n");
  const office = await tokenOffice(place);
  await started(place);
  const settings = { socket: place.socket, good: office.token("acme/pay"), over: office.token("acme/pay", { exp: 1 }) };
  const program = new Program(
    `
def outcome(token, principal=None):
    with RemoteEngine(settings["socket"], token=token) as engine:
        try:
            enforce_tool_call("ping", {}, engine, principal=principal)
            return "ran"
        except BlockedError as error:
            return error.decision.details.code if error.decision.details else str(error).split("(")[1].split(")")[0]
say(outcome(settings["good"]), outcome(settings["good"], "acme/pay/a"), outcome(settings["good"], "acme/other"), outcome(settings["over"]))
`,
    settings,
  );
  const [said] = await program.all();
  expect(said).toEqual([
    "ran",
    "ran",
    expect.stringMatching(/^(principal|identity|claim)\w*$/),
    expect.stringMatching(/^token_\w+$/),
  ]);
  const identities = (await receiptsOf(place)).filter(({ verdict }) => verdict === "ALLOW");
  expect(identities.map(({ principal, identity }) => [principal, identity])).toEqual([
    ["acme/pay", "acme/pay"],
    ["acme/pay/a", "acme/pay"],
  ]);
}, 60_000);

const scopes = parse(`
id: acme
version: 1
templates:
  tools:
    params: { allowed: { type: strings, merge: union } }
    policy: { tools: ["*"], except: { param: allowed }, then: deny, reason: no tool of this principal }
scopes:
  acme:
    - { template: tools, params: { allowed: [ping] } }
`) as ScopeSource;

test("a pinned scope document has to be the one that the daemon serves", async () => {
  const place = await makePlace(ruleModule(rule("ping", "return allow();")));
  const office = await scopeOffice(place);
  const pin = await office.put(scopes);
  await started(place);
  const program = new Program(
    `
def outcome(**pinned):
    try:
        with RemoteEngine(settings["socket"], principal="acme", **pinned) as engine:
            enforce_tool_call("ping", {}, engine)
        return "ran"
    except BlockedError as error:
        return "scope_mismatch" if "scope_mismatch" in str(error) else str(error)
    except SignedFileRefused as error:
        return error.code
say(
    outcome(scope_file=settings["path"], scope_key_file=settings["key"]),
    outcome(scope=settings["pin"]),
    outcome(scope="sha256:" + "0" * 64),
    outcome(scope_file=settings["path"], scope_key_file=settings["other"]),
)
`,
    { socket: place.socket, path: office.path, key: office.publicPath, other: place.trust, pin },
  );
  expect(await program.all()).toEqual([["ran", "ran", "scope_mismatch", "unknown_key"]]);
}, 60_000);

test("what a Python client decided while the daemon was away is recorded as its word when it is back", async () => {
  const place = await makePlace(ruleModule(rule("ping", "return allow();")));
  const files = new FallbackFiles();
  const program = new Program(
    `
with RemoteEngine(settings["socket"], unreachable="degraded", fallback_file=settings["file"], fallback_key_file=settings["key"],
                  fallback_spool=settings["spool"], on_fallback=lambda _: None, grace=0.2, principal="acme/a", timeout=20) as engine:
    say(enforce_tool_call("read_file", {"path": "/srv/nobodys-business"}, engine, call_id="c1"))
    try:
        enforce_tool_call("rm", {}, engine)
    except BlockedError as error:
        say(error.decision.details.code)
    sys.stdin.readline()
    enforce_tool_call("ping", {}, engine)
say(engine.stats.fallbacks, engine.stats.fallbacks_told)
`,
    { socket: place.socket, file: files.file, key: files.keyFile, spool: files.spool },
  );
  expect(await program.said()).toEqual([{ path: "/srv/nobodys-business" }]);
  expect(await program.said()).toEqual(["decided_offline"]);
  await started(place);
  program.tell("it is back");
  expect(await program.all()).toEqual([[2, 2]]);
  const told = (await receiptsOf(place)).filter(({ code }) => code === "decided_offline");
  expect(told.map(({ verdict, policy_id, principal }) => [verdict, policy_id, principal]).sort()).toEqual([
    ["ALLOW", "fallback:reads", "acme/a"],
    ["BLOCK", null, "acme/a"],
  ]);
  expect(JSON.stringify(told)).not.toContain("nobodys-business");
}, 60_000);
