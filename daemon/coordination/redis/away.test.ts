import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { startProxy } from "../../../test/kit/services/proxy.ts";
import { freshRedis } from "../../../test/kit/services/services.ts";
import { enterTimeout_ms, silence_ms } from "./limits.ts";
import { redisCoordination } from "./open.ts";
import { deployment, deploymentKey, intent, limit, spread, ticketOf, until, withPrefix } from "./test-daemons.ts";
import { startOwnRedis } from "./test-own-redis.ts";
import { parseRedisUrl } from "./url.ts";

const opened = (url: string) =>
  redisCoordination(parseRedisUrl(url), { key: deploymentKey, owner: "a", when: "start", log: () => undefined });

const through = async () => {
  const given = await freshRedis();
  const shared = await deployment(given);
  const proxy = await startProxy(given.url);
  const near = await shared.daemon("near", { url: proxy.url });
  const far = await shared.daemon("far");
  return { shared, proxy, near, far };
};

describe("a Redis that is away", () => {
  test("is gone: calls are unavailable at once, and enter again without a restart", async () => {
    const { shared, proxy, near } = await through();
    await proxy.cut();
    await until(() => !near.isReady);
    const began = Date.now();
    expect(await near.enter(intent("gone"))).toEqual({ kind: "unavailable" });
    expect(await near.enter(intent(null, { limits: [limit("gone", 1, 1)] }))).toEqual({ kind: "unavailable" });
    expect(await near.enter(intent(null))).toMatchObject({ kind: "entered" });
    expect(Date.now() - began).toBeLessThan(enterTimeout_ms / 2);
    await proxy.restore();
    await until(() => near.isReady);
    ticketOf(await near.enter(intent("gone")));
    expect(shared.lines.map((line) => line.replace(/127[^ ]+|\([A-Z]+\)|\(closed\)/g, "*"))).toEqual([
      "coordination: redis://* is away *; calls with a contract or a limit are blocked until it is back",
      "coordination: redis://* is back",
    ]);
  });

  test("with a limit on different values is away: a call to a known value is unavailable too", async () => {
    const { proxy, near } = await through();
    const enter = (host: string) => near.enter(intent(null, { limits: [spread("away", 1, [host])] }));
    ticketOf(await enter("a"));
    await proxy.cut();
    await until(() => !near.isReady);
    expect([await enter("a"), await enter("b")]).toEqual([{ kind: "unavailable" }, { kind: "unavailable" }]);
    await proxy.restore();
    await until(() => near.isReady);
    ticketOf(await enter("a"));
    expect((await enter("b")).kind).toBe("refused");
  });

  test("hangs: a call is unavailable after its timeout, the next ones at once", async () => {
    const { proxy, near } = await through();
    proxy.stall();
    const began = Date.now();
    expect(await near.enter(intent("hangs"))).toEqual({ kind: "unavailable" });
    const waited = Date.now() - began;
    expect(waited).toBeGreaterThan(enterTimeout_ms * 0.9);
    expect(waited).toBeLessThan(enterTimeout_ms * 2);
    const next = Date.now();
    expect(await near.enter(intent("hangs"))).toEqual({ kind: "unavailable" });
    expect(Date.now() - next).toBeLessThan(enterTimeout_ms / 2);
    await proxy.restore();
    await until(() => near.isReady);
    ticketOf(await near.enter(intent("hangs")));
  });

  test.each(["service", "nobody"] as const)(
    "ends before it answers, and the command reached %s: the call is unavailable, and its claim and limit are given back",
    async (reaches) => {
      const { proxy, near, far } = await through();
      const call = intent("cut", { limits: [limit("cut", 5, 5)] });
      const cut = proxy.cutAt(call.transaction_id, reaches);
      expect(await near.enter(call)).toEqual({ kind: "unavailable" });
      await cut;
      await until(async () => (await far.enter(intent("cut", { limits: [limit("cut", 5, 5)] }))).kind === "entered");
    },
  );

  test("does not answer while others wait: who waits is told to look again once it is back", async () => {
    const { proxy, near, far } = await through();
    const call = intent("news");
    ticketOf(await far.enter(call));
    const heard: (string | null)[] = [];
    near.onEnded((ended) => heard.push(ended));
    await proxy.cut();
    await until(() => !near.isReady);
    far.closed(call.transaction_id, { kind: "executed", result: "1" });
    await proxy.restore();
    await until(() => heard.includes(null));
    expect(await near.enter(intent("news"))).toMatchObject({ settled: { kind: "replay", result: "1" } });
  });

  test("is away when a call ends: its outcome is told once it is back", async () => {
    const { proxy, near, far } = await through();
    const executed = intent("ends: executed");
    const refused = intent("ends: refused");
    ticketOf(await near.enter(executed));
    const ticket = ticketOf(await near.enter(refused));
    await proxy.cut();
    await until(() => !near.isReady);
    near.closed(executed.transaction_id, { kind: "executed", result: "1" });
    near.leave(ticket, null);
    expect(await far.enter(intent("ends: executed"))).toMatchObject({ settled: { kind: "in_flight" } });
    await proxy.restore();
    await until(async () => (await far.enter(intent("ends: refused"))).kind === "entered");
    expect(await far.enter(intent("ends: executed"))).toMatchObject({ settled: { kind: "replay", result: "1" } });
  });
});

describe("a Redis of its own", () => {
  test("is paused (SIGSTOP) with a command in its buffers: it takes nothing when it goes on", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "paused:" });
    const near = await shared.daemon("near");
    const far = await shared.daemon("far");
    server.signal("SIGSTOP");
    const calls = Array.from({ length: 20 }, (_, i) => intent("paused", { transaction_id: `tx_${i}` }));
    const entries = await Promise.all(calls.map((call) => near.enter(call)));
    expect(entries.map(({ kind }) => kind)).toEqual(calls.map(() => "unavailable"));
    // Longer than a connection's silence: it is given up while the frozen server still has what was sent on it.
    await new Promise((resolve) => setTimeout(resolve, silence_ms - enterTimeout_ms + 500));
    server.signal("SIGCONT");
    await until(async () => (await far.enter(intent("paused"))).kind === "entered");
    await until(() => near.isReady);
    expect(await shared.redis.smembers("paused:owner:near")).toEqual([]);
  });

  test("is killed (kill -9) and started again: blocked meanwhile, then entered, without a restart of the daemon", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "killed:" });
    const near = await shared.daemon("near");
    const entering = Array.from({ length: 50 }, (_, i) => near.enter(intent(`killed ${i}`)));
    await server.kill();
    for (const entry of await Promise.all(entering)) expect(["entered", "unavailable"]).toContain(entry.kind);
    expect(await near.enter(intent("killed"))).toEqual({ kind: "unavailable" });
    await server.start();
    await until(() => near.isReady);
    ticketOf(await near.enter(intent("killed")));
  });

  test("is gone when an engine is restarted: the daemon goes on, and recovers what it held once Redis is back", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "engine:" });
    const proxy = await startProxy(server.url);
    const before = await shared.daemon("near");
    const call = intent("engine");
    ticketOf(await before.enter(call));
    await before.close();
    await proxy.cut();
    const after = await shared.daemon("near", { url: proxy.url, when: "restart" });
    const asked: string[] = [];
    await after.recover((transaction_id) => {
      asked.push(transaction_id);
      return null;
    });
    expect(after.isReady).toBe(false);
    expect(await after.enter(intent("engine"))).toEqual({ kind: "unavailable" });
    await proxy.restore();
    await until(async () => (await after.enter(intent("engine"))).kind === "entered");
    expect(asked).toEqual([call.transaction_id]);
  });

  test("is flushed: it knows of nothing that was before, and keeps what comes after", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "flushed:" });
    const [near, far] = await Promise.all([shared.daemon("near"), shared.daemon("far")]);
    ticketOf(await near.enter(intent("flushed")));
    await shared.redis.flushall();
    await shared.redis.script("FLUSH");
    ticketOf(await far.enter(intent("flushed")));
    expect(await near.enter(intent("flushed"))).toMatchObject({ settled: { kind: "in_flight" } });
  });

  test("has no memory left: calls are unavailable, outcomes are told when it has some", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "full:" });
    const near = await shared.daemon("near");
    const call = intent("full");
    ticketOf(await near.enter(call));
    await shared.redis.config("SET", "maxmemory", "1");
    near.closed(call.transaction_id, { kind: "executed", result: "1" });
    expect(await near.enter(intent("other"))).toEqual({ kind: "unavailable" });
    await shared.redis.config("SET", "maxmemory", "0");
    await until(() => near.isReady);
    await until(async () => (await shared.redis.hget("full:claim:full", "state")) === "executed");
    ticketOf(await near.enter(intent("other")));
  });

  test("is made a replica: calls are unavailable, and enter once it is a primary again", async () => {
    const server = await startOwnRedis();
    const shared = await deployment({ url: server.url, prefix: "replica:" });
    const near = await shared.daemon("near");
    await shared.redis.replicaof("127.0.0.1", 1);
    expect(await near.enter(intent("replica"))).toEqual({ kind: "unavailable" });
    await shared.redis.replicaof("NO", "ONE");
    await until(async () => (await near.enter(intent("replica"))).kind === "entered");
  });

  test("drops keys when its memory is full: no start", async () => {
    const server = await startOwnRedis();
    const client = new Redis(server.url);
    await client.config("SET", "maxmemory-policy", "allkeys-lru");
    client.disconnect();
    await expect(opened(server.url)).rejects.toThrow(
      expect.objectContaining({
        exitCode: 5,
        message: expect.stringContaining("its maxmemory-policy is allkeys-lru, which drops claims"),
      }),
    );
  });
});

describe("no start", () => {
  test("where nobody listens", async () => {
    await expect(opened("redis://:hunter2@127.0.0.1:1/0")).rejects.toThrow(
      expect.objectContaining({
        exitCode: 5,
        message: "coordination: cannot use redis://127.0.0.1:1/0: ECONNREFUSED",
      }),
    );
  });

  test("with a wrong password, which is not told", async () => {
    const { url, prefix } = await freshRedis();
    const wrong = new URL(url);
    wrong.password = "hunter2";
    await expect(opened(withPrefix(wrong.href, prefix))).rejects.toThrow(
      expect.objectContaining({ exitCode: 5, message: expect.stringMatching(/cannot use redis:[^ ]+: WRONGPASS$/) }),
    );
  });

  test("where the daemons there have another deployment's key", async () => {
    const shared = await deployment();
    await shared.daemon("one");
    await expect(shared.daemon("other", { key: new Uint8Array(32) })).rejects.toThrow(
      expect.objectContaining({
        exitCode: 5,
        message: expect.stringContaining("its claims are of another deployment_key"),
      }),
    );
  });
});
