import { beforeAll, describe, expect, test } from "vitest";
import type { Coordination } from "../coordination.ts";
import { enterTimeout_ms } from "./limits.ts";
import { endScript, enterScript } from "./scripts.ts";
import { type Deployment, deployment, intent, ticketOf, until } from "./test-daemons.ts";

let shared: Deployment;
let one: Coordination;
let other: Coordination;
let third: Coordination;

beforeAll(async () => {
  shared = await deployment();
  [one, other, third] = await Promise.all([shared.daemon("one"), shared.daemon("other"), shared.daemon("third")]);
});

const settledOf = async (entry: ReturnType<Coordination["enter"]>): Promise<unknown> => {
  const settled = await entry;
  return settled.kind === "refused" ? settled.settled : settled.kind;
};

describe("a claim", () => {
  test("is entered once by 200 that come at once to three daemons", async () => {
    const entries = await Promise.all(
      Array.from({ length: 200 }, (_, i) => [one, other, third][i % 3]?.enter(intent("at once"))),
    );
    const kinds = entries.map((entry) => (entry?.kind === "refused" ? entry.settled.kind : entry?.kind));
    expect(kinds.filter((kind) => kind === "entered")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "in_flight")).toHaveLength(199);
  });

  test("that is held is in flight for the others, by whom and until when", async () => {
    const first = intent("held");
    ticketOf(await one.enter(first));
    const settled = await settledOf(other.enter(intent("held", { now_ms: 5_000_000, lease_ms: 1 })));
    expect(settled).toEqual({
      kind: "in_flight",
      transaction_id: first.transaction_id,
      lease_until_ms: expect.any(Number),
    });
    const { lease_until_ms } = settled as { lease_until_ms: number };
    expect(lease_until_ms - 5_000_000).toBeGreaterThan(50_000);
    expect(lease_until_ms - 5_000_000).toBeLessThanOrEqual(60_000);
  });

  test("is replayed with its result once it was executed, and free after its window", async () => {
    const first = intent("executed", { claim: { key: "executed", content: "executed", window_ms: 400 } });
    one.leave(ticketOf(await one.enter(first)), {
      kind: "authorized",
      transaction_id: first.transaction_id,
      approval_id: null,
    });
    one.closed(first.transaction_id, { kind: "executed", result: '{"refunded":true}' });
    const replay = { kind: "replay", transaction_id: first.transaction_id, result: '{"refunded":true}' };
    await until(
      async () => JSON.stringify(await settledOf(other.enter(intent("executed")))) === JSON.stringify(replay),
    );
    await until(async () => (await other.enter(intent("executed"))).kind === "entered");
  });

  test("is replayed without a result where that was withheld", async () => {
    const first = intent("withheld");
    ticketOf(await one.enter(first));
    one.closed(first.transaction_id, { kind: "executed", result: null });
    const replay = { kind: "replay", transaction_id: first.transaction_id, result: null };
    await until(
      async () => JSON.stringify(await settledOf(other.enter(intent("withheld")))) === JSON.stringify(replay),
    );
  });

  test("whose result somebody changed in Redis is replayed without one", async () => {
    const first = intent("forged");
    ticketOf(await one.enter(first));
    one.closed(first.transaction_id, { kind: "executed", result: "1500" });
    await until(async () => (await shared.redis.hget(`${shared.prefix}claim:forged`, "state")) === "executed");
    await shared.redis.hset(`${shared.prefix}claim:forged`, "result", Buffer.from("1500").toString("base64"));
    expect(await settledOf(other.enter(intent("forged")))).toEqual({
      kind: "replay",
      transaction_id: first.transaction_id,
      result: null,
    });
  });

  test("of another call is a key that was used again", async () => {
    const first = intent("reused");
    ticketOf(await one.enter(first));
    expect(
      await settledOf(
        other.enter(intent("reused", { claim: { key: "reused", content: "another call", window_ms: 60_000 } })),
      ),
    ).toEqual({
      kind: "key_reused",
      transaction_id: first.transaction_id,
    });
  });

  test("is not taken by a transaction that was given up: its command came late", async () => {
    const late = intent("late command");
    const run = (script: { readonly text: string }, ...args: string[]) =>
      shared.redis.eval(script.text, 1, shared.prefix, late.transaction_id, ...args);
    expect(await run(endScript, "released", "", "60000")).toBe("told");
    expect(await run(enterScript, "one", "boot", "late command", "late command", "write", "60000", "60000")).toEqual([
      "gone",
    ]);
    ticketOf(await other.enter(intent("late command")));
  });

  test.each(["blocked by the store", "refused"])("is given back when the call was %s", async (why) => {
    const first = intent(`back: ${why}`);
    const ticket = ticketOf(await one.enter(first));
    one.leave(ticket, why === "refused" ? { kind: "refused", transaction_id: first.transaction_id } : null);
    await until(async () => (await other.enter(intent(`back: ${why}`))).kind === "entered");
  });

  test("is free again when the call failed or was abandoned", async () => {
    const first = intent("failed");
    ticketOf(await one.enter(first));
    one.closed(first.transaction_id, { kind: "released" });
    await until(async () => (await other.enter(intent("failed"))).kind === "entered");
  });

  test("whose lease is over is unknown, and never free by itself", async () => {
    const first = intent("overdue", { lease_ms: 30 });
    ticketOf(await one.enter(first));
    const unknown = { kind: "outcome_unknown", transaction_id: first.transaction_id };
    await until(
      async () => JSON.stringify(await settledOf(other.enter(intent("overdue")))) === JSON.stringify(unknown),
    );
    expect(await shared.redis.pttl(`${shared.prefix}claim:overdue`)).toBe(-1);
    expect(await settledOf(third.enter(intent("overdue")))).toEqual(unknown);
  });

  test("that is unknown is settled by a late outcome", async () => {
    const first = intent("late");
    ticketOf(await one.enter(first));
    one.closed(first.transaction_id, { kind: "unknown" });
    await until(async () => JSON.stringify(await settledOf(other.enter(intent("late")))).includes("outcome_unknown"));
    one.closed(first.transaction_id, { kind: "executed", result: "7" });
    await until(async () => JSON.stringify(await settledOf(other.enter(intent("late")))).includes('"result":"7"'));
  });

  test.each(["read", "idempotent"] as const)(
    "that is unknown may be taken by a call whose effect is %s",
    async (effect) => {
      const key = `again: ${effect}`;
      const first = intent(key, { effect });
      ticketOf(await one.enter(first));
      one.closed(first.transaction_id, { kind: "unknown" });
      await until(async () => (await other.enter(intent(key, { effect }))).kind === "entered");
      // The first one's late outcome is not the second one's.
      one.closed(first.transaction_id, { kind: "executed", result: "7" });
      expect(await settledOf(third.enter(intent(key)))).toMatchObject({ kind: "in_flight" });
    },
  );

  test("that another transaction holds is not ended by one that does not", async () => {
    const first = intent("not mine");
    ticketOf(await one.enter(first));
    const refused = intent("not mine");
    await other.enter(refused);
    other.closed(refused.transaction_id, { kind: "released" });
    other.leave({ transaction_id: refused.transaction_id, claim_key: "not mine" }, null);
    // One connection: what was told before is heard before.
    expect(await settledOf(other.enter(intent("not mine")))).toMatchObject({ kind: "in_flight" });
  });
});

describe("a daemon", () => {
  test("hears of claims that others ended", async () => {
    const heard: (string | null)[] = [];
    other.onEnded((ended) => heard.push(ended));
    const executed = intent("told of: executed");
    const released = intent("told of: released");
    await Promise.all([one.enter(executed), one.enter(released)]);
    one.closed(executed.transaction_id, { kind: "executed", result: null });
    one.closed(released.transaction_id, { kind: "released" });
    await until(() => heard.includes(executed.transaction_id) && heard.includes(released.transaction_id));
  });

  test("that was busy for longer than Redis may take reads the answer that came meanwhile", async () => {
    const entering = one.enter(intent("busy"));
    // It is on its way before the thread is busy.
    await new Promise(process.nextTick);
    const end = Date.now() + enterTimeout_ms + 100;
    while (Date.now() < end);
    expect((await entering).kind).toBe("entered");
  });

  test("asks Redis nothing for a call that has neither claim nor limit", async () => {
    const entry = one.enter(intent(null));
    expect(entry).not.toBeInstanceOf(Promise);
    expect(await entry).toMatchObject({ kind: "entered" });
  });

  test("that was killed gives back what its store does not know, and tells of what it does", async () => {
    const killed = await shared.daemon("killed");
    const calls = {
      never: intent("recover: never authorized"),
      running: intent("recover: running"),
      executed: intent("recover: executed"),
      unknown: intent("recover: unknown"),
    };
    for (const call of Object.values(calls)) ticketOf(await killed.enter(call));
    await killed.close();

    const restarted = await shared.daemon("killed");
    const asked: string[] = [];
    await restarted.recover((transaction_id) => {
      asked.push(transaction_id);
      if (transaction_id === calls.running.transaction_id) return "authorized";
      if (transaction_id === calls.executed.transaction_id) return { kind: "executed", result: "1" };
      return transaction_id === calls.unknown.transaction_id ? { kind: "unknown" } : null;
    });
    expect(asked.sort()).toEqual(
      Object.values(calls)
        .map((call) => call.transaction_id)
        .sort(),
    );
    const now = async (key: string) => JSON.stringify(await settledOf(other.enter(intent(key))));
    await until(async () => (await now("recover: executed")).includes("replay"));
    await until(async () => (await now("recover: unknown")).includes("outcome_unknown"));
    await until(async () => (await now("recover: never authorized")).includes("entered"));
    expect(await now("recover: running")).toContain("in_flight");
  });

  test("puts no argument, name or result into Redis that can be read there", async () => {
    const call = intent("sealed", { principal: "agent-secret", action: "secret-action" });
    ticketOf(await one.enter(call));
    one.closed(call.transaction_id, { kind: "executed", result: '{"iban":"secret-iban"}' });
    await until(async () => (await shared.redis.hget(`${shared.prefix}claim:sealed`, "state")) === "executed");
    for (const key of await shared.redis.keys(`${shared.prefix}*`)) {
      const kind = await shared.redis.type(key);
      const value = kind === "hash" ? await shared.redis.hgetall(key) : key;
      expect(JSON.stringify([key, value])).not.toContain("secret");
    }
  });
});

test("a single-use token is noted once by all that come at once, and again when its note is over", async () => {
  const noted = await Promise.all(
    Array.from({ length: 90 }, (_, i) => [one, other, third][i % 3]?.noteToken("at once", 60_000)),
  );
  expect(noted.filter((isFirst) => isFirst === true)).toHaveLength(1);
  expect(noted.filter((isFirst) => isFirst === false)).toHaveLength(89);
  expect(await one.noteToken("short", 200)).toBe(true);
  expect(await other.noteToken("short", 200)).toBe(false);
  await until(async () => (await other.noteToken("short", 200)) === true);
});
