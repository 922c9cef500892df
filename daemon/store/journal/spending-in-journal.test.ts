import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptHash } from "../../ledger/hash.ts";
import { temporaryState } from "../../ledger/test-state.ts";
import { openStore } from "../open-store.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import type { StateDirectory } from "../state-directory.ts";
import { type Steps, step } from "../steps.ts";
import type { EmbeddedStore, NewReceipt } from "../store.ts";
import { spendingRow } from "../test-transaction-rows.ts";
import { memberCounter, type SpendingRow, type StoreTx } from "../transaction-rows.ts";

const opened = (state: StateDirectory): EmbeddedStore => openStore(state, "process", null).store;
const journalOf = (state: StateDirectory): string => readFileSync(state.journalPath, "utf8");

const next = (store: EmbeddedStore): NewReceipt => {
  const { seq, hash: prev } = store.head();
  const receipt = JSON.stringify({ prev, seq: seq + 1 });
  return { seq: seq + 1, receipt, hash: receiptHash(receipt), salt: null, final_salt: null, kept: null };
};

const spending = (store: EmbeddedStore, ...rows: readonly SpendingRow[]): void =>
  store.transact(function* (tx) {
    yield* step(tx.spend(rows));
    yield* step(tx.insertReceipts([next(store)]));
  });
const row = (n: number, changes: Partial<SpendingRow> = {}): SpendingRow =>
  spendingRow({ transaction_id: `tx_${n}`, amount: n, at_ms: 1_000 * n, ...changes });
const spentOn = (store: EmbeddedStore, since_ms = 0, counter = "c1"): number =>
  store.transact((tx) => step(tx.spent(counter, since_ms))) as number;

describe("what a call spends", () => {
  test("stands at once in the journal, is summed with what the database has, and leaves its window", () => {
    const state = temporaryState();
    const store = opened(state);
    spending(store, row(1));
    store.settle();
    spending(store, row(2), row(2));
    expect(journalOf(state)).toContain('"c1"');
    const own = store.transact(function* (tx): Steps<number> {
      yield* step(tx.spend([row(3)]));
      const sum = yield* step(tx.spent("c1", 0));
      yield* step(tx.insertReceipts([next(store)]));
      return sum;
    });
    expect(own).toBe(1 + 4 + 3);
    expect([spentOn(store), spentOn(store, 1_000), spentOn(store, 2_000), spentOn(store, 3_000)]).toEqual([8, 7, 3, 0]);
    expect(spentOn(store, 0, "c2")).toBe(0);
    store.settle();
    expect(journalOf(state)).toBe("");
    expect([spentOn(store), spentOn(store, 1_000), spentOn(store, 2_000)]).toEqual([8, 7, 3]);
    store.close();
  });

  test("of work that throws is nothing", () => {
    const store = opened(temporaryState());
    expect(() =>
      store.transact(function* (tx): Steps<void> {
        yield* step(tx.spend([row(1)]));
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(spentOn(store)).toBe(0);
    store.close();
  });

  test("is there after a kill, once, whether the journal was settled, settled and not emptied, or neither", () => {
    const state = temporaryState();
    const store = opened(state);
    const killed = (journal: string): StateDirectory => {
      const copy = temporaryState();
      for (const name of ["ledger.db", "ledger.db-wal", "store.key"])
        copyFileSync(join(state.path, name), join(copy.path, name));
      writeFileSync(copy.journalPath, journal, { mode: 0o600 });
      return copy;
    };
    spending(store, row(1), row(2));
    const journal = journalOf(state);
    const before = killed(journal);
    store.settle();
    for (const left of [before, killed(""), killed(journal)]) {
      const again = opened(left);
      expect(spentOn(again)).toBe(3);
      again.close();
    }
    store.close();
  });

  test("is given back by a call that failed, whether it had been settled or not", () => {
    const store = opened(temporaryState());
    const release = (transaction_id: string): void =>
      store.transact(function* (tx) {
        yield* step(tx.releaseSpending(transaction_id));
        yield* step(tx.insertReceipts([next(store)]));
      });
    spending(store, row(1));
    store.settle();
    spending(store, row(2));
    spending(store, row(4));
    release("tx_2");
    expect(spentOn(store)).toBe(5);
    release("tx_1");
    expect(spentOn(store)).toBe(4);
    store.close();
  });

  test("on a member is known in the journal; a new member is counted by the database", () => {
    const state = temporaryState();
    const store = opened(state);
    const member = (name: string, n: number) => row(n, { counter: memberCounter("c1", name) });
    const spread = (...own: readonly string[]) => store.transact((tx) => step(tx.spread("c1", 0, own))) as number;
    spending(store, member("a", 1));
    expect(spread("a")).toBe(0);
    expect(journalOf(state)).not.toBe("");
    expect(spread("a", "b")).toBe(2);
    expect(journalOf(state)).toBe("");
    expect(spread("a")).toBe(0);
    store.close();
  });

  test("is what a store without a journal says, whatever is spent, given back, settled and swept", () => {
    type Operation = readonly ["spend" | "release" | "spent" | "settle" | "sweep" | "spread", number, number];
    const operation: fc.Arbitrary<Operation> = fc.tuple(
      fc.constantFrom("spend", "spend", "spend", "release", "spent", "settle", "sweep", "spread"),
      fc.nat({ max: 3 }),
      fc.nat({ max: 12 }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const journaled = opened(temporaryState());
        const plain = openSqliteStore(temporaryState(), "process", null).store;
        let made = 0;
        for (const [what, which, n] of operations) {
          made += 1;
          const counter = which === 3 ? memberCounter("c0", `m${n % 3}`) : `c${which}`;
          const work = (tx: StoreTx): unknown => {
            const spent = row(n, {
              counter,
              transaction_id: `tx_${made}`,
              at_ms: made * 10,
              expires_ms: made * 10 + 100,
            });
            if (what === "spend") return tx.spend([spent]);
            if (what === "release") return tx.releaseSpending(`tx_${n + 1}`);
            if (what === "sweep") return tx.deleteExpired(made * 10);
            // Within its window only: what is over may have been swept by one of them.
            if (what === "spread") return tx.spread("c0", made * 10 - 100, ["m0", `m${which}`]);
            return tx.spent(counter, made * 10 - 10 * (n % 10));
          };
          if (what === "settle") {
            journaled.settle();
            continue;
          }
          const [said, wanted] = [journaled, plain].map((store) =>
            store.transact(function* (tx): Steps<unknown> {
              const answer = yield* step(work(tx));
              yield* step(tx.insertReceipts([next(store)]));
              return answer;
            }),
          );
          expect([made, what, said]).toEqual([made, what, wanted]);
        }
        journaled.close();
        plain.close();
      }),
      { numRuns: 60 },
    );
  });
});
