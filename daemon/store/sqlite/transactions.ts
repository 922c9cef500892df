import type Database from "better-sqlite3";
import type { StoreTx, TransactionRow } from "../transaction-rows.ts";
import { changeRow } from "./change-row.ts";

export const transactionColumns = [
  "transaction_id",
  "status",
  "call_id",
  "action",
  "principal",
  "parent_principal",
  "effect",
  "fingerprint",
  "claim_key",
  "claim_window_ms",
  "approval_id",
  "resumed_from",
  "resumed_by",
  "rules",
  "created_ms",
  "lease_until_ms",
  "changed_ms",
  "error_type",
] as const satisfies readonly (keyof TransactionRow)[];

const changing = ["status", "changed_ms", "error_type", "resumed_by", "approval_id"] as const;

type Transactions = Pick<
  StoreTx,
  | "findTransaction"
  | "listTransactions"
  | "insertTransaction"
  | "changeTransaction"
  | "openTransaction"
  | "hasAsked"
  | "changeAskers"
  | "overdueTransactions"
>;

export const transactions = (db: Database.Database): Transactions => {
  const all = transactionColumns.join(", ");
  const insert = db.prepare(`INSERT INTO transactions(${all}) VALUES(${transactionColumns.map(() => "?").join(", ")})`);
  const find = db.prepare<[string], TransactionRow>(`SELECT ${all} FROM transactions WHERE transaction_id = ?`);
  // The index by its name: without it SQLite does not see that it serves what is `authorized` alone.
  const open = db.prepare<[string], TransactionRow>(
    `SELECT ${all} FROM transactions INDEXED BY transactions_open
     WHERE call_id = ? AND status IN ('authorized', 'unknown') ORDER BY transaction_id DESC LIMIT 1`,
  );
  const overdue = db.prepare<[number, number], TransactionRow>(
    `SELECT ${all} FROM transactions INDEXED BY transactions_open
     WHERE status IN ('authorized', 'unknown') AND status = 'authorized' AND lease_until_ms <= ?
     ORDER BY transaction_id LIMIT ?`,
  );
  const asked = db
    .prepare<[string, string], number>("SELECT 1 FROM transactions WHERE approval_id = ? AND call_id = ? LIMIT 1")
    .pluck();
  const list = db.prepare<[number], TransactionRow>(
    `SELECT ${all} FROM transactions ORDER BY transaction_id DESC LIMIT ?`,
  );
  const listOf = db.prepare<[string, number], TransactionRow>(
    `SELECT ${all} FROM transactions WHERE status = ? ORDER BY transaction_id DESC LIMIT ?`,
  );
  const change = new Map<number, ReturnType<typeof changeRow<(typeof changing)[number]>>>();
  const changeFrom = (count: number): ReturnType<typeof changeRow<(typeof changing)[number]>> => {
    let made = change.get(count);
    if (made === undefined) {
      const marks = Array.from({ length: count }, () => "?").join(", ");
      made = changeRow(db, "transactions", changing, `transaction_id = ? AND status IN (${marks})`);
      change.set(count, made);
    }
    return made;
  };
  const changeAsking = changeRow(
    db,
    "transactions",
    changing,
    "approval_id = ? AND status = 'pending_approval' AND resumed_by IS NULL",
  );
  return {
    findTransaction: (transaction_id) => find.get(transaction_id) ?? null,
    listTransactions: ({ status, limit }) => (status === "all" ? list.all(limit) : listOf.all(status, limit)),
    insertTransaction: (row) => void insert.run(...transactionColumns.map((column) => row[column])),
    changeTransaction: (transaction_id, from, changed) =>
      changeFrom(from.length)(changed, transaction_id, ...from) === 1,
    openTransaction: (call_id) => open.get(call_id) ?? null,
    hasAsked: (approval_id, call_id) => asked.get(approval_id, call_id) !== undefined,
    changeAskers: (approval_id, changed) => void changeAsking(changed, approval_id),
    overdueTransactions: (now_ms, limit) => overdue.all(now_ms, limit),
  };
};
