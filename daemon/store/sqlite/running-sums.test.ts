import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryState } from "../../ledger/test-state.ts";
import type { Steps } from "../steps.ts";
import type { StoreTx } from "../transaction-rows.ts";
import { openSqliteStore } from "./open-store.ts";
import { RunningSums } from "./running-sums.ts";

const window_ms = 100;

/** Amounts in quarters: sums of them are exact, in whatever order. */
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("spend" as const), quarters: fc.integer({ min: 0, max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("undone" as const), quarters: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), nth: fc.nat({ max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: -60, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
);

test("what is said to be spent is what the rows of the window sum up to, whatever was undone, given back or swept", () => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  const run = <T>(work: (tx: StoreTx) => Steps<T>): T => store.transact(work) as T;
  let round = 0;
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const counter = `c${++round}`;
      let now_ms = 1_000;
      let rows: { readonly transaction_id: string; readonly at_ms: number; readonly amount: number }[] = [];
      const spend = (tx: StoreTx, quarters: number): void => {
        const transaction_id = `${counter}-${rows.length}`;
        const row = { transaction_id, at_ms: now_ms, amount: quarters / 4 };
        tx.spend([{ ...row, counter, expires_ms: now_ms + window_ms }]);
        rows = [...rows, row];
      };
      for (const each of operations) {
        const before = rows;
        if (each.do === "wait") now_ms += each.ms;
        else if (each.do === "sweep") {
          run(function* (tx) {
            yield tx.deleteExpired(now_ms);
          });
          rows = rows.filter(({ at_ms }) => at_ms + window_ms > now_ms);
        } else if (each.do === "release") {
          const chosen = rows[each.nth % Math.max(1, rows.length)]?.transaction_id ?? "none";
          run(function* (tx) {
            yield tx.releaseSpending(chosen);
          });
          rows = rows.filter(({ transaction_id }) => transaction_id !== chosen);
        } else if (each.do === "spend") {
          run(function* (tx) {
            yield spend(tx, each.quarters);
          });
        } else {
          const undone = (): void =>
            run(function* (tx) {
              yield spend(tx, each.quarters);
              throw new RangeError("undone");
            });
          expect(undone).toThrow("undone");
          rows = before;
        }
        const expected = rows
          .filter(({ at_ms }) => at_ms > now_ms - window_ms)
          .reduce((sum, { amount }) => sum + amount, 0);
        const spent = run(function* (tx) {
          return (yield tx.spent(counter, now_ms - window_ms)) as number;
        });
        expect(spent).toBe(expected);
      }
    }),
    { numRuns: 150 },
  );
  store.close();
}, 60_000);

describe("a sum", () => {
  /** One row of 1 at each of the times. */
  const sumsOf = (times: readonly number[]) => {
    const asked: string[] = [];
    const sums = new RunningSums({
      later: (_counter, since_ms) => {
        asked.push("all");
        return times.filter((at_ms) => at_ms > since_ms).length;
      },
      between: (_counter, since_ms, until_ms) => {
        asked.push(`${since_ms}..${until_ms}`);
        return times.filter((at_ms) => at_ms > since_ms && at_ms <= until_ms).length;
      },
    });
    return { sums, asked };
  };

  test("reads only what has left the window", () => {
    const { sums, asked } = sumsOf([10, 20, 30]);
    expect([0, 0, 10, 25].map((since_ms) => sums.spent("c", since_ms))).toEqual([3, 3, 2, 1]);
    expect(asked).toEqual(["all", "0..10", "10..25"]);
  });

  test("is made anew for a window that reaches further back", () => {
    const { sums, asked } = sumsOf([10, 20, 30]);
    expect([25, 5].map((since_ms) => sums.spent("c", since_ms))).toEqual([1, 3]);
    expect(asked).toEqual(["all", "all"]);
  });

  test("is made anew after so many changes that rounding could count", () => {
    const { sums, asked } = sumsOf([10]);
    sums.spent("c", 0);
    for (let change = 0; change < 1_000; change++) sums.add("c", 50, 0.1);
    expect(sums.spent("c", 0)).toBe(1);
    expect(asked).toEqual(["all", "all"]);
  });

  test("of a counter among very many is forgotten, not kept for ever", () => {
    const { sums, asked } = sumsOf([10]);
    for (let counter = 0; counter <= 10_000; counter++) sums.spent(`c${counter}`, 0);
    sums.spent("c0", 0);
    expect(asked).toHaveLength(10_002);
  });
});
