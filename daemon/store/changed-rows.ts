import type { ClaimRow, SpendingRow, TransactionRow } from "./transaction-rows.ts";

/** A sealed box and the end of its time. */
export interface BoxRow {
  readonly expires_ms: number;
  readonly box: Uint8Array;
}

/**
 * Rows as they are to stand, by their keys; a claim that is null is to be gone. What a call on the journal's path changes:
 * applied twice, it is the same.
 */
export interface ChangedRows {
  readonly claims: ReadonlyMap<string, ClaimRow | null>;
  readonly transactions: ReadonlyMap<string, TransactionRow>;
  readonly boxes: ReadonlyMap<string, BoxRow>;
  /** By `spendingKey`. They are added, never changed: what a call gives back, the database takes. */
  readonly spending: ReadonlyMap<string, SpendingRow>;
}

export const spendingKey = ({ counter, at_ms, transaction_id }: SpendingRow): string =>
  `${at_ms} ${transaction_id} ${counter}`;

export const noChangedRows: ChangedRows = Object.freeze({
  claims: new Map(),
  transactions: new Map(),
  boxes: new Map(),
  spending: new Map(),
});

export const hasNone = ({ claims, transactions, boxes, spending }: ChangedRows): boolean =>
  claims.size + transactions.size + boxes.size + spending.size === 0;
