import { describe, expect, test } from "vitest";
import type { CommitResult, Entry } from "../ledger/record.ts";
import type { Plan, Settled } from "../transactions/plan.ts";
import { coordinated } from "./coordinated.ts";
import type { Coordination, Entry as Entered } from "./coordination.ts";
import { localCoordination } from "./local.ts";
import { intent } from "./redis/test-daemons.ts";

const call = intent("key");
const authorize: Plan = { kind: "authorize", intent: call, resume: null };
const close: Plan = { kind: "close", call_id: "c", action: "refund", principal: null, now_ms: 1, result: "7" };
const fail: Plan = { kind: "fail", call_id: "c", by: null, status: "failed", error_type: null, now_ms: 1 };
const ticket = { transaction_id: call.transaction_id, claim_key: "key" };

/** What was said to the coordination, and what the entry was told it was settled as. */
const stage = (plan: Plan | null, entered: Entered = { kind: "entered", ticket }) => {
  const told: unknown[] = [];
  const recorded: (Settled | null)[] = [];
  const coordination: Coordination = {
    ...localCoordination,
    enter: () => {
      told.push("enter");
      return Promise.resolve(entered);
    },
    leave: (given, settled) => void told.push(["leave", given.transaction_id, settled?.kind ?? null]),
    closed: (transaction_id, outcome) => void told.push(["closed", transaction_id, outcome]),
  };
  const entry: Entry = {
    plan,
    record: (settled) => {
      recorded.push(settled);
      return null;
    },
  };
  return { told, recorded, entry, coordinated: () => coordinated(entry, coordination) };
};

const durable = (settled: Settled | null): CommitResult => ({ outcome: "durable", seq: 1, settled });
const authorized: Settled = { kind: "authorized", transaction_id: call.transaction_id, approval_id: null };
const inFlight = { kind: "in_flight", transaction_id: "tx_other", lease_until_ms: 5 } as const;

describe("a call", () => {
  test("that entered goes to the store as it is, and tells what the store said", async () => {
    const { told, entry, coordinated } = stage(authorize);
    const { entry: asked, done } = await coordinated();
    expect(asked).toBe(entry);
    done(durable(authorized));
    expect(told).toEqual(["enter", ["leave", call.transaction_id, "authorized"]]);
  });

  test.each([
    ["was refused by the store", durable(inFlight), "in_flight"],
    ["waits", { outcome: "undecided", settled: inFlight } as const, null],
    ["could not be recorded", { outcome: "not_durable", error: "full" } as const, null],
  ])("that entered and %s leaves as one that does not run", async (_name, result, said) => {
    const { told, coordinated } = stage(authorize);
    (await coordinated()).done(result);
    expect(told).toEqual(["enter", ["leave", call.transaction_id, said]]);
  });

  test("that was refused takes nothing in the store, and is recorded as refused", async () => {
    const { told, recorded, coordinated } = stage(authorize, { kind: "refused", settled: inFlight });
    const { entry, done } = await coordinated();
    expect(entry.plan).toBeNull();
    entry.record(null);
    expect(recorded).toEqual([inFlight]);
    done(durable(null));
    expect(told).toEqual(["enter"]);
  });

  test("that exceeds a limit has its row in the store", async () => {
    const settled = { kind: "limit_exceeded", policyId: "p", reason: "r", attributedTo: null } as const;
    const { recorded, coordinated } = stage(authorize, { kind: "refused", settled });
    const { entry } = await coordinated();
    expect(entry.plan).toEqual({ kind: "refuse", intent: call, code: "limit_exceeded" });
    entry.record({ kind: "refused", transaction_id: call.transaction_id });
    expect(recorded).toEqual([settled]);
  });

  test("of which nobody can say anything is blocked", async () => {
    const { recorded, coordinated } = stage(authorize, { kind: "unavailable" });
    const { entry } = await coordinated();
    expect(entry.plan).toBeNull();
    entry.record(null);
    expect(recorded).toEqual([{ kind: "coordination_unavailable" }]);
  });
});

describe("an outcome", () => {
  test.each([
    ["result", close, { kind: "executed", result: "7" }],
    ["failure", fail, { kind: "released" }],
  ])("that is a %s is told once it is durable", async (_name, plan, outcome) => {
    const { told, coordinated } = stage(plan);
    (await coordinated()).done(durable({ kind: "closed", transaction_id: "tx_1" }));
    expect(told).toEqual([["closed", "tx_1", outcome]]);
  });

  test.each([
    ["closed nothing", durable({ kind: "unmatched" })],
    ["could not be recorded", { outcome: "not_durable", error: "full" } as const],
  ])("that %s is not told", async (_name, result) => {
    const { told, coordinated } = stage(close);
    (await coordinated()).done(result);
    expect(told).toEqual([]);
  });
});

test.each([
  ["a decision without a plan", null],
  ["a call that a gate denied", { kind: "refuse", intent: call, code: "policy_denied" } as const],
])("%s asks nobody", async (_name, plan) => {
  const { told, entry, coordinated } = stage(plan);
  const asked = coordinated();
  expect(asked).not.toBeInstanceOf(Promise);
  expect((await asked).entry).toBe(entry);
  expect(told).toEqual([]);
});

test("where nothing is shared, a call goes to the store in the same turn", () => {
  expect(coordinated({ plan: authorize, record: () => null }, localCoordination)).not.toBeInstanceOf(Promise);
});
