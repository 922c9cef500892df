import type Database from "better-sqlite3";
import type { StoreTx } from "../transaction-rows.ts";

type Spending = Pick<StoreTx, "spent" | "spend" | "releaseSpending">;

export const spending = (db: Database.Database): Spending => {
  const sum = db
    .prepare<[string, number], number>("SELECT coalesce(sum(amount), 0) FROM spending WHERE counter = ? AND at_ms > ?")
    .pluck();
  // One call may take part in two limits that share a counter.
  const put = db.prepare(
    `INSERT INTO spending(counter, at_ms, transaction_id, amount, expires_ms) VALUES(?, ?, ?, ?, ?)
     ON CONFLICT(counter, at_ms, transaction_id) DO UPDATE SET amount = amount + excluded.amount,
       expires_ms = max(expires_ms, excluded.expires_ms)`,
  );
  const release = db.prepare("DELETE FROM spending WHERE transaction_id = ?");
  return {
    spent: (counter, since_ms) => sum.get(counter, since_ms) ?? 0,
    spend(rows) {
      for (const { counter, at_ms, transaction_id, amount, expires_ms } of rows) {
        put.run(counter, at_ms, transaction_id, amount, expires_ms);
      }
    },
    releaseSpending: (transaction_id) => void release.run(transaction_id),
  };
};
