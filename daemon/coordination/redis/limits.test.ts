import { beforeAll, describe, expect, test } from "vitest";
import type { Coordination } from "../coordination.ts";
import { type Deployment, deployment, intent, limit, spread, ticketOf, until } from "./test-daemons.ts";

let shared: Deployment;
let daemons: readonly [Coordination, Coordination, Coordination];

beforeAll(async () => {
  shared = await deployment();
  daemons = await Promise.all([shared.daemon("one"), shared.daemon("other"), shared.daemon("third")]);
});

const exceeded = (counter: string) => ({
  kind: "refused",
  settled: {
    kind: "limit_exceeded",
    policyId: `policy of ${counter}`,
    reason: "too much",
    attributedTo: "amount",
  },
});

describe("a limit", () => {
  test("is never exceeded by 300 calls that come at once to three daemons", async () => {
    const entries = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        daemons[i % 3]?.enter(intent(`own claim ${i}`, { limits: [limit("at once", 100, 7)] })),
      ),
    );
    expect(entries.filter((entry) => entry?.kind === "entered")).toHaveLength(14);
    expect(entries.filter((entry) => entry?.kind === "refused")[0]).toEqual(exceeded("at once"));
  });

  test("refuses the whole call: neither its claim nor its other limits are taken", async () => {
    const call = intent("all or none", { limits: [limit("wide", 10, 6), limit("narrow", 5, 6)] });
    expect(await daemons[0].enter(call)).toEqual(exceeded("narrow"));
    ticketOf(await daemons[1].enter(intent("all or none", { limits: [limit("wide", 10, 10)] })));
  });

  test("is given back by a call that did not run, and not by one that did", async () => {
    const failed = intent("failed", { limits: [limit("back", 10, 10)] });
    const executed = intent("executed", { limits: [limit("kept", 10, 10)] });
    const refused = intent("refused", { limits: [limit("left", 10, 10)] });
    for (const call of [failed, executed]) ticketOf(await daemons[0].enter(call));
    const ticket = ticketOf(await daemons[0].enter(refused));
    daemons[0].closed(failed.transaction_id, { kind: "released" });
    daemons[0].closed(executed.transaction_id, { kind: "executed", result: null });
    daemons[0].leave(ticket, null);
    const enters = async (counter: string) =>
      (await daemons[1].enter(intent(null, { limits: [limit(counter, 10, 1)] }))).kind === "entered";
    await until(() => enters("back"));
    await until(() => enters("left"));
    expect(await enters("kept")).toBe(false);
  });

  test("that a call of unknown outcome took part in stays counted, also when it may run again", async () => {
    const first = intent("again", { effect: "idempotent", limits: [limit("unknown", 10, 6)] });
    ticketOf(await daemons[0].enter(first));
    daemons[0].closed(first.transaction_id, { kind: "unknown" });
    const second = intent("again", { effect: "idempotent", limits: [limit("unknown", 10, 6)] });
    expect(await daemons[0].enter(second)).toEqual(exceeded("unknown"));
    ticketOf(await daemons[0].enter(intent("again", { effect: "idempotent", limits: [limit("unknown", 10, 4)] })));
  });

  test("has room again when its window has passed", async () => {
    const enter = () => daemons[0].enter(intent(null, { limits: [limit("window", 1, 1, 300)] }));
    ticketOf(await enter());
    expect(await enter()).toEqual(exceeded("window"));
    await until(async () => (await enter()).kind === "entered");
    expect(await enter()).toEqual(exceeded("window"));
  });

  test("is not exceeded by rounding, and what was added and taken away leaves nothing", async () => {
    for (let i = 0; i < 300; i++) {
      const call = intent(null, { limits: [limit("rounding", 0.3, 0.1), limit("held open", 1e9, 0.1)] });
      ticketOf(await daemons[0].enter(call));
      daemons[0].closed(call.transaction_id, { kind: "released" });
    }
    const enter = () => daemons[0].enter(intent(null, { limits: [limit("rounding", 0.3, 0.1)] }));
    for (let i = 0; i < 3; i++) ticketOf(await enter());
    expect(await enter()).toEqual(exceeded("rounding"));
  });

  test("that shares its counter with another counts what the call puts there for both", async () => {
    const twice = (max: number): Promise<unknown> =>
      Promise.resolve(daemons[0].enter(intent(null, { limits: [limit("twice", 9, 1), limit("twice", max, 1)] })));
    expect(await twice(1)).toEqual(exceeded("twice"));
    expect(await twice(4)).toMatchObject({ kind: "entered" });
    expect(await twice(4)).toMatchObject({ kind: "entered" });
    expect(await twice(4)).toEqual(exceeded("twice"));
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("is exceeded by an amount of %s", async (amount) => {
    const call = intent(null, { limits: [limit("no amount", 10, amount)] });
    expect(await daemons[0].enter(call)).toEqual(exceeded("no amount"));
  });

  test("whose total is gone from Redis is counted again", async () => {
    ticketOf(await daemons[0].enter(intent(null, { limits: [limit("recount", 10, 8)] })));
    await shared.redis.del(`${shared.prefix}total:recount`);
    expect(await daemons[0].enter(intent(null, { limits: [limit("recount", 10, 3)] }))).toEqual(exceeded("recount"));
    ticketOf(await daemons[0].enter(intent(null, { limits: [limit("recount", 10, 2)] })));
  });

  test("leaves nothing in Redis once its window is over", async () => {
    const call = intent(null, { limits: [limit("leaves nothing", 10, 1, 50)] });
    ticketOf(await daemons[0].enter(call));
    daemons[0].closed(call.transaction_id, { kind: "executed", result: null });
    await until(async () => {
      const keys = await shared.redis.keys(`${shared.prefix}*`);
      return !keys.some((key) => key.includes("leaves nothing") || key.includes(call.transaction_id));
    });
  });
});

describe("a limit on different values", () => {
  const enter = (counter: string, max: number, members: readonly string[], window_ms?: number) =>
    daemons[0].enter(intent(null, { limits: [spread(counter, max, members, window_ms)] }));
  const wide = (counter: string) => ({
    ...exceeded(counter),
    settled: { ...exceeded(counter).settled, attributedTo: "to" },
  });

  test("is never exceeded by 300 calls to 30 hosts that come at once to three daemons", async () => {
    const entries = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const host = `host ${(i * 7) % 30}`;
        const entry = await daemons[i % 3]?.enter(intent(null, { limits: [spread("hosts at once", 5, [host])] }));
        return { host, entry };
      }),
    );
    const entered = entries.filter(({ entry }) => entry?.kind === "entered").map(({ host }) => host);
    expect(new Set(entered).size).toBe(5);
    expect(entered).toHaveLength(50);
  });

  test("lets what it knows pass, and refuses all of a call of which one value is too many", async () => {
    ticketOf(await enter("known", 2, ["a"]));
    ticketOf(await enter("known", 2, ["b", "a"]));
    ticketOf(await enter("known", 2, ["a"]));
    expect(await enter("known", 2, ["a", "c"])).toEqual(wide("known"));
    expect(await enter("known", 2, ["c", "d", "e"])).toEqual(wide("known"));
    ticketOf(await enter("known", 2, ["b"]));
    ticketOf(await enter("known", 3, ["c"]));
  });

  test("counts a value until the last call that had it is given back", async () => {
    const calls = [1, 2].map(() => intent(null, { limits: [spread("given back", 1, ["a"])] }));
    for (const call of calls) ticketOf(await daemons[0].enter(call));
    const enters = async () => (await enter("given back", 1, ["b"])).kind === "entered";
    daemons[0].closed(calls[0]?.transaction_id as string, { kind: "released" });
    await until(async () => (await shared.redis.zcard(`${shared.prefix}limit:given back`)) === 1);
    expect(await enters()).toBe(false);
    daemons[0].closed(calls[1]?.transaction_id as string, { kind: "released" });
    await until(enters);
  });

  test("has room again when the window of the last call has passed", async () => {
    ticketOf(await enter("wide window", 1, ["a"], 300));
    expect(await enter("wide window", 1, ["b"], 300)).toEqual(wide("wide window"));
    await until(async () => (await enter("wide window", 1, ["b"], 300)).kind === "entered");
    expect(await enter("wide window", 1, ["a"], 300)).toEqual(wide("wide window"));
  });

  test("whose members are gone from Redis is counted again", async () => {
    ticketOf(await enter("remember", 2, ["a", "b"]));
    await shared.redis.del(`${shared.prefix}members:remember`);
    expect(await enter("remember", 2, ["c"])).toEqual(wide("remember"));
    ticketOf(await enter("remember", 2, ["b"]));
  });

  test("leaves nothing in Redis once its window is over", async () => {
    const call = intent(null, { limits: [spread("nothing left", 1, ["a"], 50)] });
    ticketOf(await daemons[0].enter(call));
    daemons[0].closed(call.transaction_id, { kind: "executed", result: null });
    await until(async () => {
      const keys = await shared.redis.keys(`${shared.prefix}*`);
      return !keys.some((key) => key.includes("nothing left") || key.includes(call.transaction_id));
    });
  });
});
