import type { BoxRow, ChangedRows } from "../changed-rows.ts";
import type { ClaimRow, TransactionRow } from "../transaction-rows.ts";

/** Rows that are durable in the journal and not in the database yet: what they say goes before what the database says. */
export class UnsettledRows implements ChangedRows {
  readonly claims = new Map<string, ClaimRow | null>();
  readonly transactions = new Map<string, TransactionRow>();
  readonly boxes = new Map<string, BoxRow>();
  /** By call id, the transactions of it that are here, oldest first. */
  readonly #ofCall = new Map<string, Set<string>>();

  add({ claims, transactions, boxes }: ChangedRows): void {
    for (const [key, claim] of claims) this.claims.set(key, claim);
    for (const [place, box] of boxes) this.boxes.set(place, box);
    for (const row of transactions.values()) this.#addTransaction(row);
  }

  /** Ids of the transactions of a call id that are here. */
  ofCall(call_id: string): Iterable<string> {
    return this.#ofCall.get(call_id) ?? [];
  }

  clear(): void {
    this.claims.clear();
    this.transactions.clear();
    this.boxes.clear();
    this.#ofCall.clear();
  }

  #addTransaction(row: TransactionRow): void {
    this.transactions.set(row.transaction_id, row);
    if (row.call_id === null) return;
    const ids = this.#ofCall.get(row.call_id) ?? new Set();
    this.#ofCall.set(row.call_id, ids.add(row.transaction_id));
  }
}
