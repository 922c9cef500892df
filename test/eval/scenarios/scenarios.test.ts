import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { asksOver, highest } from "./arguments.ts";
import { focusedSet } from "./focused.ts";
import { repeatedSet, timesEach } from "./repeated.ts";
import { countBy, isUnsafe, type Scenario } from "./scenario.ts";
import { safeSet, standardSet } from "./standard.ts";

const tools = (set: readonly Scenario[]) => countBy(set, ({ tool }) => tool);
const kinds = (set: readonly Scenario[]) => countBy(set, ({ kind }) => kind);

describe("the standard set", () => {
  it("is 140 calls over three tools, 33 of them unsafe", () => {
    expect(standardSet).toHaveLength(140);
    expect(tools(standardSet)).toEqual({ refund_invoice: 60, change_account: 50, send_message: 30 });
    expect(tools(standardSet.filter(isUnsafe))).toEqual({ refund_invoice: 20, change_account: 8, send_message: 5 });
    expect(kinds(standardSet)).toEqual({ runs: 107, malformed: 13, approval: 12, denied: 8 });
    expect(safeSet).toHaveLength(107);
  });
});

describe("the repeated set", () => {
  it("is 10 calls, 20 times each", () => {
    expect(repeatedSet).toHaveLength(10);
    expect(timesEach).toBe(20);
    expect(repeatedSet.some(isUnsafe)).toBe(false);
  });
});

describe("the focused set", () => {
  it("is 100 calls: 61 run, 20 are malformed, 19 are stopped by a policy", () => {
    expect(focusedSet).toHaveLength(100);
    expect(tools(focusedSet)).toEqual({ refund_invoice: 41, change_account: 32, send_message: 27 });
    expect(kinds(focusedSet)).toEqual({ runs: 61, malformed: 20, approval: 5, denied: 14 });
    const per = (kind: Scenario["kind"]) => tools(focusedSet.filter((one) => one.kind === kind));
    expect(per("runs")).toEqual({ refund_invoice: 25, change_account: 20, send_message: 16 });
    expect(per("malformed")).toEqual({ refund_invoice: 8, change_account: 6, send_message: 6 });
  });

  it("is spoiled in all three ways", () => {
    const malformed = focusedSet.filter(({ kind }) => kind === "malformed");
    const ways = countBy(malformed, ({ id }) => id.split("-")[2] as string);
    expect(ways).toEqual({ missing: 7, wrong_type: 7, constraint: 6 });
  });
});

describe.each([
  ["standard", standardSet],
  ["repeated", repeatedSet],
  ["focused", focusedSet],
])("every scenario of the %s set", (_, set) => {
  it("has an id of its own", () => {
    expect(new Set(set.map(({ id }) => id)).size).toBe(set.length);
  });

  it("has arguments of its own: no call is a repeat of another one", () => {
    const calls = set.flatMap(({ tool, kind, naive, intended }) =>
      kind === "malformed"
        ? [JSON.stringify([tool, naive]), JSON.stringify([tool, intended])]
        : [JSON.stringify([tool, naive])],
    );
    expect(new Set(calls).size).toBe(calls.length);
  });

  it("differs from what was meant where it is malformed, in one field", () => {
    for (const { kind, naive, intended, id } of set) {
      const fields = new Set([...Object.keys(naive), ...Object.keys(intended)]);
      const differing = [...fields].filter((field) => !isDeepStrictEqual(naive[field], intended[field]));
      expect([id, differing.length]).toEqual([id, kind === "malformed" ? 1 : 0]);
    }
  });

  it("has an amount on its side of the two thresholds", () => {
    for (const { kind, intended } of set.filter(({ tool }) => tool === "refund_invoice")) {
      const amount = intended.amount as number;
      if (kind === "approval") expect(amount > asksOver && amount <= highest).toBe(true);
      else if (kind === "denied") expect(amount).toBeGreaterThan(highest);
      else expect(amount > 0 && amount < asksOver).toBe(true);
    }
  });
});
