import type Database from "better-sqlite3";
import type { ApprovalRow, StoreTx } from "../transaction-rows.ts";
import { changeRow } from "./change-row.ts";

const columns = [
  "approval_id",
  "version",
  "status",
  "action",
  "principal",
  "parent_principal",
  "call_id",
  "transaction_id",
  "fingerprint",
  "reason",
  "needs",
  "shapes",
  "votes",
  "rules",
  "requested_ms",
  "expires_ms",
  "scope",
  "match_key",
  "granted_until_ms",
  "changed_ms",
  "decided_by",
  "used_by",
] as const satisfies readonly (keyof ApprovalRow)[];

const changing = [
  "status",
  "votes",
  "scope",
  "match_key",
  "granted_until_ms",
  "changed_ms",
  "decided_by",
  "used_by",
  "expires_ms",
  "version",
] as const;

type Approvals = Pick<
  StoreTx,
  | "findApproval"
  | "listApprovals"
  | "insertApproval"
  | "changeApproval"
  | "approvalFor"
  | "standingGrants"
  | "overdueApprovals"
>;

export const approvals = (db: Database.Database): Approvals => {
  const all = columns.join(", ");
  const insert = db.prepare(`INSERT INTO approvals(${all}) VALUES(${columns.map(() => "?").join(", ")})`);
  const find = db.prepare<[string], ApprovalRow>(`SELECT ${all} FROM approvals WHERE approval_id = ?`);
  const newestFor = db.prepare<[string], ApprovalRow>(
    `SELECT ${all} FROM approvals WHERE fingerprint = ? AND status IN ('pending', 'granted', 'denied')
     ORDER BY position DESC LIMIT 1`,
  );
  const standing = db.prepare<[string], ApprovalRow>(
    `SELECT ${all} FROM approvals WHERE match_key = ? AND status = 'granted' ORDER BY position`,
  );
  const overdue = db.prepare<[number, number, number], ApprovalRow>(
    `SELECT ${all} FROM approvals INDEXED BY approvals_live WHERE status IN ('pending', 'granted')
     AND ((status = 'pending' AND expires_ms <= ?) OR (status = 'granted' AND granted_until_ms <= ?))
     ORDER BY position LIMIT ?`,
  );
  const list = db.prepare<[number], ApprovalRow>(`SELECT ${all} FROM approvals ORDER BY position DESC LIMIT ?`);
  const listOf = (order: "ASC" | "DESC") =>
    db.prepare<[string, number], ApprovalRow>(
      `SELECT ${all} FROM approvals WHERE status = ? ORDER BY position ${order} LIMIT ?`,
    );
  const waiting = listOf("ASC");
  const decided = listOf("DESC");
  const change = changeRow(db, "approvals", changing, "approval_id = ? AND version = ?");
  return {
    findApproval: (approval_id) => find.get(approval_id) ?? null,
    listApprovals: ({ status, limit }) => {
      if (status === "all") return list.all(limit);
      return (status === "pending" ? waiting : decided).all(status, limit);
    },
    insertApproval: (row) => void insert.run(...columns.map((column) => row[column])),
    changeApproval: (approval_id, version, changed) =>
      change({ ...changed, version: version + 1 }, approval_id, version) === 1,
    approvalFor: (fingerprint) => newestFor.get(fingerprint) ?? null,
    standingGrants: (match_keys) => match_keys.flatMap((key) => standing.all(key)),
    overdueApprovals: (now_ms, limit) => overdue.all(now_ms, now_ms, limit),
  };
};
