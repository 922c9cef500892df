import type { StopRow } from "../stop-rows.ts";
import type { ApprovalRow, ClaimRow, SpendingRow, TransactionRow } from "../transaction-rows.ts";
import { fromText, toText } from "./text.ts";

/** A kind of row: where it lies, and its columns in the order in which they are written. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
}

const table = <Row>(name: string, columns: Readonly<Record<keyof Row & string, true>>): Table<Row> =>
  Object.freeze({ name, columns: Object.keys(columns) as (keyof Row & string)[] });

/** Records, so that a column that a row has and the list has not does not compile. */
export const transactionTable = table<TransactionRow>("interlock.transactions", {
  transaction_id: true,
  status: true,
  call_id: true,
  action: true,
  principal: true,
  parent_principal: true,
  effect: true,
  fingerprint: true,
  claim_key: true,
  claim_window_ms: true,
  approval_id: true,
  resumed_from: true,
  resumed_by: true,
  rules: true,
  created_ms: true,
  lease_until_ms: true,
  changed_ms: true,
  error_type: true,
});

export const claimTable = table<ClaimRow>("interlock.claims", {
  key: true,
  transaction_id: true,
  content: true,
  state: true,
  lease_until_ms: true,
  expires_ms: true,
});

export const stopTable = table<StopRow>("interlock.stops", {
  stop_id: true,
  begun_ms: true,
  begun_by: true,
  reason: true,
  ended_ms: true,
  ended_by: true,
  end_reason: true,
});

export const approvalTable = table<ApprovalRow>("interlock.approvals", {
  approval_id: true,
  version: true,
  status: true,
  action: true,
  principal: true,
  parent_principal: true,
  call_id: true,
  transaction_id: true,
  fingerprint: true,
  reason: true,
  needs: true,
  shapes: true,
  votes: true,
  rules: true,
  requested_ms: true,
  expires_ms: true,
  scope: true,
  match_key: true,
  granted_until_ms: true,
  changed_ms: true,
  decided_by: true,
  used_by: true,
});

export const spendingTable = table<SpendingRow>("interlock.spending", {
  counter: true,
  transaction_id: true,
  at_ms: true,
  amount: true,
  expires_ms: true,
});

/** A value as a statement's parameter. Throws StoreFailed for text that is not Unicode. */
export const toValue = (value: unknown): unknown => (typeof value === "string" ? toText(value) : value);

/** A row as it was given to the store. */
export const rowFrom = <Row>({ columns }: Table<Row>, stored: Readonly<Record<string, unknown>>): Row => {
  const row: Record<string, unknown> = {};
  for (const column of columns) {
    const value = stored[column];
    row[column] = typeof value === "string" ? fromText(value) : (value ?? null);
  }
  return Object.freeze(row) as Row;
};

export const valuesOf = <Row>({ columns }: Table<Row>, row: Row): readonly unknown[] =>
  columns.map((column) => toValue(row[column]));

/** `a, b, c`. */
export const listOf = <Row>({ columns }: Table<Row>): string => columns.join(", ");

/** `$1, $2, $3`. */
export const placesOf = <Row>({ columns }: Table<Row>): string => columns.map((_column, at) => `$${at + 1}`).join(", ");

/** The columns of a change, each with its parameter, after `before` other parameters. Unknown names do not get in. */
export const changeOf = <Row>(
  { columns }: Table<Row>,
  change: Partial<Row>,
  before: number,
): {
  readonly sets: readonly string[];
  readonly values: readonly unknown[];
  /** Tells this set of columns from any other: for the name of a statement. */
  readonly key: string;
} => {
  const changed = columns.filter((column) => change[column] !== undefined);
  return {
    key: changed.map((column) => columns.indexOf(column)).join("_"),
    sets: changed.map((column, at) => `${column} = $${before + at + 1}`),
    values: changed.map((column) => toValue(change[column])),
  };
};
