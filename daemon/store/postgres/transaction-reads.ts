import type {
  ApprovalFilter,
  ApprovalRow,
  ClaimRow,
  TransactionFilter,
  TransactionReads,
  TransactionRow,
} from "../transaction-rows.ts";
import type { Answer, Statement } from "./connection.ts";
import { documentReads } from "./documents.ts";
import {
  approvalTable,
  claimTable,
  listOf,
  rowFrom,
  stopTable,
  type Table,
  toValue,
  transactionTable,
} from "./rows.ts";

/** Sends one statement: over a connection of its own, or inside of a transaction. */
export type Ask = (statement: Statement, values: readonly unknown[]) => Promise<Answer>;

export const firstRow = async <Row>(table: Table<Row>, answer: Promise<Answer>): Promise<Row | null> => {
  const [row] = (await answer).rows;
  return row === undefined ? null : rowFrom(table, row);
};

export const allRows = async <Row>(table: Table<Row>, answer: Promise<Answer>): Promise<readonly Row[]> =>
  (await answer).rows.map((row) => rowFrom(table, row));

/** @param locked rows that are looked up by their id stay as they are until the transaction ends. */
export const transactionReads = (ask: Ask, locked: "locked" | "not locked"): TransactionReads => {
  const lock = locked === "locked" ? " FOR UPDATE" : "";
  const prefix = locked === "locked" ? "lock" : "read";
  const byId = <Row>(table: Table<Row>, column: keyof Row & string): Statement => ({
    name: `${prefix}_${table.name}`,
    text: `SELECT ${listOf(table)} FROM ${table.name} WHERE ${column} = $1${lock}`,
  });
  const list = <Row>(table: Table<Row>, order: "position" | "position DESC"): Statement => ({
    name: `list_${table.name}_${order === "position" ? "oldest" : "newest"}`,
    text: `SELECT ${listOf(table)} FROM ${table.name} WHERE $1 = 'all' OR status::text = $1 ORDER BY ${order} LIMIT $2`,
  });
  const transactionById = byId<TransactionRow>(transactionTable, "transaction_id");
  const approvalById = byId<ApprovalRow>(approvalTable, "approval_id");
  const claimByKey = byId<ClaimRow>(claimTable, "key");
  const waiting = list(approvalTable, "position");
  const approvals = list(approvalTable, "position DESC");
  const transactions = list(transactionTable, "position DESC");
  const box: Statement = {
    name: "read_box",
    text: "SELECT box FROM interlock.boxes WHERE place = $1 AND expires_ms > $2",
  };
  const stopsSince: Statement = {
    name: "stops_since",
    text: `SELECT ${listOf(stopTable)} FROM ${stopTable.name} WHERE ended_ms IS NULL OR begun_ms > $1
      ORDER BY begun_ms, stop_id`,
  };
  return {
    findTransaction: (id) => firstRow(transactionTable, ask(transactionById, [toValue(id)])),
    findApproval: (id) => firstRow(approvalTable, ask(approvalById, [toValue(id)])),
    findClaim: (key) => firstRow(claimTable, ask(claimByKey, [toValue(key)])),
    listApprovals: ({ status, limit }: ApprovalFilter) =>
      allRows(approvalTable, ask(status === "pending" ? waiting : approvals, [status, limit])),
    listTransactions: ({ status, limit }: TransactionFilter) =>
      allRows(transactionTable, ask(transactions, [status, limit])),
    ...documentReads(ask, locked),
    stops: (since_ms) => allRows(stopTable, ask(stopsSince, [since_ms])),
    async findBox(place, now_ms) {
      const [row] = (await ask(box, [toValue(place), now_ms])).rows;
      return row === undefined ? null : new Uint8Array(row.box as Buffer);
    },
  };
};
