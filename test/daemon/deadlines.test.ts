import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { type Asked, ask, askUntil } from "../kit/asking.ts";
import { type Daemon, type Receipt, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

/** Ways a rule can fail that its module's author never meant. */
const ways = [
  { id: "loop", async: false, body: "for (;;);", code: "rule_overran" },
  {
    id: "regex",
    async: false,
    body: `return /^(a+)+$/.test("a".repeat(40) + "!") ? allow() : undefined;`,
    code: "rule_overran",
  },
  {
    id: "loop-after-lookup",
    async: true,
    body: `await context.lookup("facts", "k"); for (;;);`,
    code: "rule_overran",
  },
  { id: "loop-after-await", async: true, body: `await Promise.resolve(); await null; for (;;);`, code: "rule_overran" },
  {
    id: "loop-after-timer",
    async: true,
    body: `await new Promise((resolve) => setTimeout(resolve, 20)); for (;;);`,
    code: "rule_overran",
  },
  {
    id: "loop-after-all",
    async: true,
    body: `await Promise.all([context.lookup("facts", "k"), 1].map(async (x) => await x)); for (;;);`,
    code: "rule_overran",
  },
  { id: "no-answer", async: true, body: `await context.lookup("silence", "k"); return allow();`, code: "rule_overran" },
  {
    id: "hostile-throw",
    async: false,
    body: `throw new Proxy({}, { get() { throw new Error("hostile"); }, getPrototypeOf() { for (;;); } });`,
    code: "rule_threw",
  },
  { id: "null-throw", async: false, body: "throw null;", code: "rule_threw" },
  { id: "exit", async: false, body: "process.exit(0);", code: "rule_crashed" },
] as const;

const source = ruleModule([plainRule(), ...ways.map(({ id, body, async }) => rule(id, body, { async }))].join(",\n"), {
  more: `resolvers: { facts: async () => 1, silence: () => new Promise(() => undefined) }, deadline_ms: 1000,`,
});

describe("one daemon, and rules that hang, die or throw", () => {
  let place: Place;
  let daemon: Daemon;
  let stopAsking: () => Promise<readonly Asked[]>;
  const asked = new Map<string, Asked>();

  beforeAll(async () => {
    place = await makePlace(source);
    daemon = await startDaemon(place);
    stopAsking = askUntil(place);
    // One after the other, so that each engine's end is one way's.
    for (const { id } of ways) asked.set(id, await ask(place, id, { n: 1 }, { timeout: 20 }));
  }, 120_000);

  afterAll(async () => {
    await daemon.stop();
  });

  test.each(ways)("$id: the caller is blocked, and told which rule", ({ id, code }) => {
    expect(asked.get(id)).toMatchObject({ verdict: "BLOCK", policy_id: id, code });
    expect(asked.get(id)?.reason).toContain(`rule ${id} `);
  });

  test("nobody else noticed: not one of the other client's calls was blocked", async () => {
    const others = await stopAsking();
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter(({ verdict }) => verdict !== "ALLOW")).toEqual([]);
  });

  test("the daemon is the same process, and the mark of the restarts is gone", () => {
    expect(daemon.isAlive()).toBe(true);
    expect(readdirSync(place.home)).not.toContain("g.sock.restarting");
  });

  test("each blocked call has its receipt, each end of an engine its own, and the chain verifies", async () => {
    const receipts = await receiptsOf(place);
    for (const { id, code } of ways) {
      const own = receipts.filter(({ action, kind }) => kind === "decision" && action === id);
      expect(own).toMatchObject([{ verdict: "BLOCK", code, policy_id: id }]);
      const trace = (own[0] as Receipt).trace;
      expect(JSON.stringify(trace)).toContain(`rules/${id}:DENY`);
    }
    // A rule that only throws, or only waits, costs no engine.
    const stayed = ["no-answer", "hostile-throw", "null-throw"];
    const ended = ways.filter(({ id }) => !stayed.includes(id)).length;
    expect(receipts.filter(({ event }) => event === "engine_restarted").length).toBe(ended);
  });

  test("the repeat of a call that overran is blocked at once, whoever asks", async () => {
    const before_ms = performance.now();
    expect(await ask(place, "loop", { n: 1 })).toMatchObject({ verdict: "BLOCK", code: "request_overran" });
    expect(performance.now() - before_ms).toBeLessThan(1000);
    expect(await ask(place, "plain", { n: 1 })).toMatchObject({ verdict: "ALLOW" });
  });
});

test("a rule that eats memory ends its engine, is named for it, and the daemon goes on", async () => {
  const eats = rule("memory", "const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length));");
  const place = await makePlace(ruleModule(`${eats}, ${plainRule()}`, { more: "deadline_ms: 10000," }));
  const daemon = await startDaemon(place);
  const answer = await ask(place, "memory", { n: 1 }, { timeout: 25 });
  expect(answer).toMatchObject({ verdict: "BLOCK", code: "rule_crashed", policy_id: "memory" });
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect(daemon.stderr()).toContain("rule memory ended the engine (ERR_WORKER_OUT_OF_MEMORY)");
  expect((await daemon.stop()).code).toBe(0);
  expect(await receiptsOf(place)).toContainEqual(expect.objectContaining({ code: "rule_crashed", action: "memory" }));
});

test("two calls whose facts arrive together: the one whose rule hangs is blamed, and not its neighbour", async () => {
  const place = await makePlace(
    ruleModule(
      rule("waits", `await context.lookup("facts", "k"); if (event.args.hang) for (;;); return allow();`, {
        async: true,
      }),
      { more: "resolvers: { facts: async () => 1 }," },
    ),
  );
  const daemon = await startDaemon(place);
  const engine = new RemoteEngine(place.socket);
  const calls = [true, false, false, false].map((hang, n) => ask(engine, "waits", { hang, n }));
  expect(await Promise.all(calls)).toMatchObject([
    { verdict: "BLOCK", code: "rule_overran", policy_id: "waits" },
    { verdict: "ALLOW" },
    { verdict: "ALLOW" },
    { verdict: "ALLOW" },
  ]);
  await engine.close();
  await daemon.stop();
});

test("a promise that a rule leaves behind, and that fails, costs nobody an engine", async () => {
  const place = await makePlace(
    ruleModule(rule("careless", `Promise.reject(new Error("late")); return allow();`), { more: "" }),
  );
  const daemon = await startDaemon(place);
  for (let n = 0; n < 20; n++) expect(await ask(place, "careless", { n })).toMatchObject({ verdict: "ALLOW" });
  await daemon.stop();
  expect(daemon.stderr()).toContain("a rule left a promise that failed");
  expect(daemon.stderr()).not.toContain("restarted");
});

test("what a rule throws from a timer ends the engine, whatever it is; the daemon goes on", async () => {
  const place = await makePlace(
    ruleModule(rule("timer", "setTimeout(() => { throw event.args.what; }); return allow();")),
  );
  const daemon = await startDaemon(place);
  for (const what of [null, { code: "made up\nby a rule", constructor: null }, "text"]) {
    await ask(place, "timer", { what });
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(await ask(place, "other", {})).toMatchObject({ verdict: "ALLOW" });
  expect(daemon.isAlive()).toBe(true);
  expect(daemon.stderr()).not.toContain("made up");
  expect((await daemon.stop()).code).toBe(0);
});
