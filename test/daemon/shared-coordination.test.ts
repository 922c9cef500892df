import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { enforceToolCall, enforceToolResult, guardToolMap, RemoteEngine } from "../../client-node/index.ts";
import { ask } from "../kit/asking.ts";
import { type Daemon, receiptsOf, runDaemon, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { startProxy } from "../kit/services/proxy.ts";
import { freshDatabase, freshRedis } from "../kit/services/services.ts";

const rules = `
import { allow, defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
const args = z.strictObject({ order: z.string(), eur: z.number().positive().default(1) });
export default defineRules({
  id: "shared",
  version: 1,
  rules: [{
    id: "hang", actions: ["hang"], phase: "call", evaluate: (event) => { while (event.args.go === true); return allow(); },
    examples: [{ event: { action: "hang", args: {} }, expect: "allow" }],
  }, {
    id: "plain", actions: ["plain"], phase: "call", evaluate: () => allow(),
    examples: [{ event: { action: "plain", args: {} }, expect: "allow" }],
  }],
  tools: [
    defineTool({ name: "refund", effect: "write", args, idempotency: { wait_ms: 20_000 } }),
    defineTool({ name: "brief", effect: "write", args, lease_s: 1, idempotency: { wait_ms: 0 } }),
    defineTool({ name: "spend", effect: "write", args, idempotency: { by: "off" } }),
  ],
  policies: [
    { id: "spend.budget", tools: ["spend"], limit: { sum: "eur", max: 100, per: ["principal"], window_s: 3600 } },
  ],
});
`;

const running: Daemon[] = [];
const engines: RemoteEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const daemon of running.splice(0)) if (daemon.isAlive()) await daemon.kill();
});

const started = async (place: Place): Promise<Daemon> => {
  const daemon = await startDaemon(place);
  running.push(daemon);
  return daemon;
};

type StoreKind = "SQLite" | "PostgreSQL";

/** So many daemons of one deployment: one Redis, one key; a SQLite each, or one PostgreSQL. */
const deploy = async (count: number, store: StoreKind, through = (url: string) => Promise.resolve(url)) => {
  const { url, prefix } = await freshRedis();
  const address = store === "PostgreSQL" ? await freshDatabase() : "sqlite";
  const coordination = `${await through(url)}?prefix=${prefix}`;
  const settings = `unknown: block\nstore: ${JSON.stringify(address)}\ncoordination: ${JSON.stringify(coordination)}\n`;
  const places = await Promise.all(Array.from({ length: count }, () => makePlace(rules, settings)));
  const daemons: Daemon[] = [];
  for (const [at, place] of places.entries()) {
    const first = places[0] as Place;
    if (at > 0) copyFileSync(join(first.home, "deployment.key"), join(place.home, "deployment.key"));
    daemons.push(await started(place));
  }
  return { places, daemons };
};

const client = ({ socket }: Place): RemoteEngine => {
  const engine = new RemoteEngine(socket, { principal: "agent", timeout: 30 });
  engines.push(engine);
  return engine;
};

describe.each<StoreKind>(["SQLite", "PostgreSQL"])("three daemons with %s and one Redis", (store) => {
  test("run one of 360 identical calls that come at once over 9 connections, and replay its result to the others", async () => {
    const { places } = await deploy(3, store);
    const ran: unknown[] = [];
    const replays: string[] = [];
    const tools = places
      .flatMap((place) => [client(place), client(place), client(place)])
      .map((engine) =>
        guardToolMap(
          {
            refund: async (args: object) => {
              ran.push(args);
              await new Promise((resolve) => setTimeout(resolve, 100));
              return { refunded: ran.length };
            },
          },
          { engine, onReplay: ({ transactionId }: { transactionId: string }) => void replays.push(transactionId) },
        ),
      );
    const results = await Promise.all(
      Array.from({ length: 360 }, (_, i) => tools[i % tools.length]?.refund({ order: "o1", eur: 20 })),
    );
    expect(ran).toEqual([{ order: "o1", eur: 20 }]);
    expect(results).toEqual(Array(360).fill({ refunded: 1 }));
    expect(replays).toHaveLength(359);
    expect(new Set(replays).size).toBe(1);
  }, 120_000);

  test("let no more through together than a budget allows", async () => {
    const { places } = await deploy(3, store);
    const asked = await Promise.all(
      places.flatMap((place) => {
        const engine = client(place);
        return Array.from({ length: 20 }, (_, i) => ask(engine, "spend", { order: `o${i}`, eur: 7 }));
      }),
    );
    const codes = asked.map(({ code }) => code);
    // What was let through is a rewrite: a default was filled in, or none was.
    expect(codes.filter((code) => code !== "limit_exceeded")).toHaveLength(14);
    expect(asked.filter(({ verdict }) => verdict === "BLOCK")).toHaveLength(46);
  }, 120_000);

  test("tell a call whose daemon was killed from one that may run: in flight, then unknown, and never again", async () => {
    const { places, daemons } = await deploy(2, store);
    const [one, other] = places as [Place, Place];
    await enforceToolCall("brief", { order: "o1", eur: 1 }, { engine: client(one), callId: "killed-1" });
    await daemons[0]?.kill();
    const engine = client(other);
    const first = await ask(engine, "brief", { order: "o1", eur: 1 });
    expect(["in_flight", "outcome_unknown"]).toContain(first.code);
    await until("the lease is over", async () => {
      const { verdict, code } = await ask(engine, "brief", { order: "o1", eur: 1 });
      expect(verdict).toBe("BLOCK");
      return code === "outcome_unknown";
    });
    await started(one);
    expect((await ask(engine, "brief", { order: "o1", eur: 1 })).code).toBe("outcome_unknown");
    expect((await ask(client(one), "brief", { order: "o1", eur: 1 })).code).toBe("outcome_unknown");
    // Every verdict has its receipt.
    expect((await receiptsOf(one)).some(({ call_id }) => call_id === "killed-1")).toBe(true);
  }, 120_000);
});

test("an engine that was restarted while a call ran still holds it, and its result is replayed elsewhere", async () => {
  const { places } = await deploy(2, "SQLite");
  const [one, other] = places as [Place, Place];
  const [engine, elsewhere] = [client(one), client(other)];
  const call = { engine, callId: "restarted-1" };
  await enforceToolCall("refund", { order: "o1", eur: 5 }, call);
  expect(await ask(engine, "hang", { go: true })).toMatchObject({ code: "rule_overran" });
  const waiting = ask(elsewhere, "refund", { order: "o1", eur: 5 });
  await enforceToolResult("refund", { refunded: 5 }, call);
  expect(await waiting).toMatchObject({ verdict: "BLOCK", code: "replayed" });
}, 60_000);

describe("Redis is away", () => {
  test("calls with a contract are blocked, others go on; all go on without a restart when it is back", async () => {
    let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
    const { places, daemons } = await deploy(1, "SQLite", async (url) => {
      proxy = await startProxy(url);
      return proxy.url;
    });
    const engine = client(places[0] as Place);
    await proxy?.cut();
    await until("the daemon says so", async () => daemons[0]?.stderr().includes("is away") === true);
    expect(await ask(engine, "refund", { order: "o1", eur: 1 })).toMatchObject({
      verdict: "BLOCK",
      code: "coordination_unavailable",
    });
    expect(await ask(engine, "spend", { order: "o1", eur: 1 })).toMatchObject({ code: "coordination_unavailable" });
    expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "ALLOW" });
    await proxy?.restore();
    await until("calls are allowed again", async () => {
      return (await ask(engine, "refund", { order: "o1", eur: 1 })).verdict !== "BLOCK";
    });
    expect(daemons[0]?.stderr()).not.toContain("redis://:");
    expect(daemons[0]?.stderr()).toContain("is back");
  });

  test("while it hangs, a call without a contract does not wait for one that has", async () => {
    let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
    const { places } = await deploy(1, "SQLite", async (url) => {
      proxy = await startProxy(url);
      return proxy.url;
    });
    const engine = client(places[0] as Place);
    await ask(engine, "plain", {});
    proxy?.stall();
    const refund = ask(engine, "refund", { order: "o1", eur: 1 });
    const began = Date.now();
    expect(await ask(engine, "plain", {})).toMatchObject({ verdict: "ALLOW" });
    expect(Date.now() - began).toBeLessThan(700);
    expect(await refund).toMatchObject({ code: "coordination_unavailable" });
    await proxy?.restore();
  });

  test("at a start: exit code 5, one line, and no password in it", async () => {
    const place = await makePlace(rules, "unknown: block\ncoordination: redis://:hunter2@127.0.0.1:1/0\n");
    const ended = await runDaemon(place);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain("coordination: cannot use redis://127.0.0.1:1/0: ECONNREFUSED");
    expect(ended.stderr).not.toContain("hunter2");
  });

  test("a coordination that is none by a flag: exit code 2, and nothing of it is told", async () => {
    const place = await makePlace(rules);
    const ended = await runDaemon(place, ["--coordination", "memcached://:hunter2@x"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("--coordination: must be `local`") });
    expect(ended.stderr).not.toContain("hunter2");
  });
});
