import type Database from "better-sqlite3";
import { memberCounter, membersOf, type SpendingRow, type StoreTx } from "../transaction-rows.ts";
import { RunningSums } from "./running-sums.ts";

type Spending = Pick<StoreTx, "spent" | "spend" | "spread" | "releaseSpending"> & {
  /** To be called where rows were rolled back, or deleted by others. */
  forgetSums(): void;
  /** Rows that the journal took: those that stand already were put before. */
  putSpending(rows: Iterable<SpendingRow>): void;
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
  const putOnce = db.prepare(
    `INSERT INTO spending(counter, at_ms, transaction_id, amount, expires_ms) VALUES(?, ?, ?, ?, ?)
     ON CONFLICT(counter, at_ms, transaction_id) DO NOTHING`,
  );
  const release = db.prepare<[string], Pick<SpendingRow, "counter" | "at_ms" | "amount">>(
    "DELETE FROM spending WHERE transaction_id = ? RETURNING counter, at_ms, amount",
  );
  const stands = db
    .prepare<[string, number], number>("SELECT 1 FROM spending WHERE counter = ? AND at_ms > ? LIMIT 1")
    .pluck();
  // From each member to the next one, so that many calls to few members cost what few calls do.
  const standing = db
    .prepare<{ after: string; before: string; since_ms: number }, number>(
      `WITH RECURSIVE members(counter) AS (
         SELECT min(counter) FROM spending WHERE counter > :after AND counter < :before
         UNION ALL
         SELECT (SELECT min(spending.counter) FROM spending
                 WHERE spending.counter > members.counter AND spending.counter < :before)
         FROM members WHERE members.counter IS NOT NULL)
       SELECT count(*) FROM members WHERE counter IS NOT NULL AND EXISTS (
         SELECT 1 FROM spending WHERE spending.counter = members.counter AND at_ms > :since_ms)`,
    )
    .pluck();
  return {
    spread(counter, since_ms, own) {
      const added = own.filter((member) => stands.get(memberCounter(counter, member), since_ms) === undefined);
      if (added.length === 0) return 0;
      const [after, before] = membersOf(counter);
      return (standing.get({ after, before, since_ms }) ?? 0) + new Set(added).size;
    },
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
    putSpending(rows) {
      for (const { counter, at_ms, transaction_id, amount, expires_ms } of rows)
        if (putOnce.run(counter, at_ms, transaction_id, amount, expires_ms).changes > 0)
          sums.add(counter, at_ms, amount);
    },
    forgetSums: () => sums.forget(),
  };
};
