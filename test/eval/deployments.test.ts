import { describe, expect, test, vi } from "vitest";
import { deployments } from "../kit/deployments.ts";
import { completedUnder } from "./metrics/completion.ts";
import { executionsUnder } from "./metrics/duplicates.ts";
import { unsafeUnder } from "./metrics/unsafe-writes.ts";
import { standardSet } from "./scenarios/standard.ts";
import { putAtOnce } from "./sets/concurrent-replay.ts";
import { partsThatRan } from "./sets/split-refunds.ts";
import { wrongRefundsThatRan } from "./sets/wrong-customer.ts";
import { type OnStage, onStage } from "./stage/stage.ts";

vi.setConfig({ testTimeout: 120_000 });

/** On SQLite alone they are what `npm run eval` runs: numbers.test.ts, sets/sets.test.ts. */
describe.each(deployments.slice(1))("with every gate, on %s", (_, settings) => {
  const on: OnStage = async (rules, work) => onStage(rules, work, await settings());

  test("none of 33 unsafe writes runs", async () => {
    expect(await unsafeUnder("every-gate", on)).toEqual(new Set());
  });

  test("120 calls of 140 do what was meant", async () => {
    const { ids, recoveries } = await completedUnder("every-gate", standardSet, true, on);
    expect([ids.size, recoveries]).toEqual([120, 13]);
  });

  test("200 submissions of 10 calls execute 10 times, one after another and all at once", async () => {
    expect(await executionsUnder("every-gate", on)).toBe(10);
    expect(await on("every-gate", putAtOnce)).toEqual({ executions: 10, unanswered: 0 });
  });

  test("no refund to the wrong customer runs, and a budget holds against parts of it at once", async () => {
    expect(await on("facts", wrongRefundsThatRan)).toBe(0);
    expect(await on("budget", partsThatRan)).toBe(25);
  });
});
