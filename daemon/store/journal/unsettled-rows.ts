import type { BoxRow, ChangedRows } from "../changed-rows.ts";
import type { ClaimRow, SpendingRow, TransactionRow } from "../transaction-rows.ts";

/** Rows that are durable in the journal and not in the database yet: what they say goes before what the database says. */
export class UnsettledRows implements ChangedRows {
  readonly claims = new Map<string, ClaimRow | null>();
  readonly transactions = new Map<string, TransactionRow>();
  readonly boxes = new Map<string, BoxRow>();
  readonly spending = new Map<string, SpendingRow>();
  /** By call id, the transactions of it that are here, oldest first. */
  readonly #ofCall = new Map<string, Set<string>>();

  /** By counter, what was spent on it. */
  readonly #spentOn = new Map<string, SpendingRow[]>();

  add({ claims, transactions, boxes, spending }: ChangedRows): void {
    for (const [key, claim] of claims) this.claims.set(key, claim);
    for (const [place, box] of boxes) this.boxes.set(place, box);
    for (const row of transactions.values()) this.#addTransaction(row);
    for (const [key, row] of spending) this.#addSpending(key, row);
  }

  /** The sum of what is here of a counter, later than `since_ms`. */
  spent(counter: string, since_ms: number): number {
    let sum = 0;
    for (const { at_ms, amount } of this.#spentOn.get(counter) ?? []) if (at_ms > since_ms) sum += amount;
    return sum;
  }

  /** Ids of the transactions of a call id that are here. */
  ofCall(call_id: string): Iterable<string> {
    return this.#ofCall.get(call_id) ?? [];
  }

  clear(): void {
    this.claims.clear();
    this.transactions.clear();
    this.boxes.clear();
    this.spending.clear();
    this.#ofCall.clear();
    this.#spentOn.clear();
  }

  #addSpending(key: string, row: SpendingRow): void {
    if (this.spending.has(key)) return;
    this.spending.set(key, row);
    const rows = this.#spentOn.get(row.counter);
    if (rows === undefined) this.#spentOn.set(row.counter, [row]);
    else rows.push(row);
  }

  #addTransaction(row: TransactionRow): void {
    this.transactions.set(row.transaction_id, row);
    if (row.call_id === null) return;
    const ids = this.#ofCall.get(row.call_id) ?? new Set();
    this.#ofCall.set(row.call_id, ids.add(row.transaction_id));
  }
}
