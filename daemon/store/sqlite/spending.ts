import type Database from "better-sqlite3";
import type { SpendingRow, StoreTx } from "../transaction-rows.ts";
import { RunningSums } from "./running-sums.ts";

type Spending = Pick<StoreTx, "spent" | "spend" | "releaseSpending"> & {
  /** To be called where rows were rolled back, or deleted by others. */
  forgetSums(): void;
};

export const spending = (db: Database.Database): Spending => {
  const later = db
    .prepare<[string, number], number>("SELECT coalesce(sum(amount), 0) FROM spending WHERE counter = ? AND at_ms > ?")
    .pluck();
  const between = db
    .prepare<[string, number, number], number>(
      "SELECT coalesce(sum(amount), 0) FROM spending WHERE counter = ? AND at_ms > ? AND at_ms <= ?",
    )
    .pluck();
  const sums = new RunningSums({
    later: (counter, since_ms) => later.get(counter, since_ms) ?? 0,
    between: (counter, since_ms, until_ms) => between.get(counter, since_ms, until_ms) ?? 0,
  });
  // One call may take part in two limits that share a counter.
  const put = db.prepare(
    `INSERT INTO spending(counter, at_ms, transaction_id, amount, expires_ms) VALUES(?, ?, ?, ?, ?)
     ON CONFLICT(counter, at_ms, transaction_id) DO UPDATE SET amount = amount + excluded.amount,
       expires_ms = max(expires_ms, excluded.expires_ms)`,
  );
  const release = db.prepare<[string], Pick<SpendingRow, "counter" | "at_ms" | "amount">>(
    "DELETE FROM spending WHERE transaction_id = ? RETURNING counter, at_ms, amount",
  );
  return {
    spent: (counter, since_ms) => sums.spent(counter, since_ms),
    spend(rows) {
      for (const { counter, at_ms, transaction_id, amount, expires_ms } of rows) {
        put.run(counter, at_ms, transaction_id, amount, expires_ms);
        sums.add(counter, at_ms, amount);
      }
    },
    releaseSpending(transaction_id) {
      for (const { counter, at_ms, amount } of release.all(transaction_id)) sums.add(counter, at_ms, -amount);
    },
    forgetSums: () => sums.forget(),
  };
};
