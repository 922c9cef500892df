import { expect, test, vi } from "vitest";
import { ablations } from "./metrics/ablations.ts";
import { completion } from "./metrics/completion.ts";
import { duplicates } from "./metrics/duplicates.ts";
import { unsafeWrites } from "./metrics/unsafe-writes.ts";
import { focusedSet } from "./scenarios/focused.ts";
import { standardSet } from "./scenarios/standard.ts";

/** Each through daemons of their own and the client package; a start takes seconds where other tests keep the cores busy. */
vi.setConfig({ testTimeout: 120_000 });

test("33 unsafe writes of 140 run without enforcement, and none with every gate", async () => {
  expect(await unsafeWrites()).toEqual({
    baseline: 33,
    treatment: 0,
    total: 140,
    by_tool: {
      refund_invoice: { baseline: 20, treatment: 0, total: 60 },
      change_account: { baseline: 8, treatment: 0, total: 50 },
      send_message: { baseline: 5, treatment: 0, total: 30 },
    },
  });
});

test("200 submissions of 10 calls execute 200 times without idempotency, and 10 times with it", async () => {
  expect(await duplicates()).toEqual({ baseline: 200, treatment: 10, total: 200 });
});

test("107 calls of 140 do what was meant with policies alone, and 120 with every gate and a retry", async () => {
  expect(await completion(standardSet)).toEqual({
    baseline: 107,
    treatment: 120,
    total: 140,
    recoveries: 13,
    by_tool: {
      refund_invoice: { baseline: 40, treatment: 44, total: 60 },
      change_account: { baseline: 42, treatment: 46, total: 50 },
      send_message: { baseline: 25, treatment: 30, total: 30 },
    },
  });
});

test("61 calls of the focused 100 do what was meant with policies alone, and 81 with every gate and a retry", async () => {
  expect(await completion(focusedSet)).toEqual({
    baseline: 61,
    treatment: 81,
    total: 100,
    recoveries: 20,
    by_tool: {
      refund_invoice: { baseline: 25, treatment: 33, total: 41 },
      change_account: { baseline: 20, treatment: 26, total: 32 },
      send_message: { baseline: 16, treatment: 22, total: 27 },
    },
  });
});

test("20 unsafe writes run without policy, 13 without evidence, none without idempotency", async () => {
  expect(await ablations()).toEqual({
    without_policy: 20,
    without_evidence: 13,
    without_idempotency: 0,
    total: 140,
  });
});
