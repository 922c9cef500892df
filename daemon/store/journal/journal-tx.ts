import { type BoxRow, type ChangedRows, spendingKey } from "../changed-rows.ts";
import type { DatabaseRows } from "../page.ts";
import { StoreFailed } from "../refused.ts";
import type { NewReceipt } from "../store.ts";
import {
  type ClaimRow,
  memberCounter,
  type SpendingRow,
  type StoreTx,
  type TransactionRow,
} from "../transaction-rows.ts";
import type { UnsettledRows } from "./unsettled-rows.ts";

/** This work needs the database's own transaction. */
class NeedsDatabase extends Error {
  override readonly name = "NeedsDatabase";
}

/**
 * One store transaction whose rows go to the journal. It knows what a call needs that nobody has to approve: claims,
 * transactions, what it spends, results. Whatever else is asked of it throws, and the work is run again in the database, also
 * where the work bore that. There is one writer, so that what is read here stays as it is until the work ends.
 */
export class JournalTx implements StoreTx, ChangedRows {
  readonly claims = new Map<string, ClaimRow | null>();
  readonly transactions = new Map<string, TransactionRow>();
  readonly boxes = new Map<string, BoxRow>();
  readonly spending = new Map<string, SpendingRow>();
  readonly receipts: NewReceipt[] = [];
  /** Something was asked that only the database can do: nothing of this counts. */
  needsDatabase = false;
  readonly #unsettled: UnsettledRows;
  readonly #database: DatabaseRows;

  constructor(unsettled: UnsettledRows, database: DatabaseRows) {
    this.#unsettled = unsettled;
    this.#database = database;
  }

  findClaim(key: string): ClaimRow | null {
    const own = this.claims.get(key);
    if (own !== undefined) return own;
    const waiting = this.#unsettled.claims.get(key);
    return waiting === undefined ? this.#database.findClaim(key) : waiting;
  }

  claim(row: ClaimRow, now_ms: number): ClaimRow | null {
    const before = this.findClaim(row.key);
    const isFree = before === null || (before.state === "executed" && before.expires_ms <= now_ms);
    if (!isFree) return before;
    this.claims.set(row.key, row);
    return null;
  }

  changeClaim(
    key: string,
    transaction_id: string,
    change: Pick<ClaimRow, "state" | "lease_until_ms" | "expires_ms">,
  ): boolean {
    const before = this.findClaim(key);
    if (before?.transaction_id !== transaction_id) return false;
    this.claims.set(key, { ...before, ...change });
    return true;
  }

  releaseClaim(key: string, transaction_id: string): boolean {
    if (this.findClaim(key)?.transaction_id !== transaction_id) return false;
    this.claims.set(key, null);
    return true;
  }

  findTransaction(transaction_id: string): TransactionRow | null {
    return (
      this.transactions.get(transaction_id) ??
      this.#unsettled.transactions.get(transaction_id) ??
      this.#database.findTransaction(transaction_id)
    );
  }

  insertTransaction(row: TransactionRow): void {
    // Ids are made once (84 random bits): only a fault of the program puts one twice, and that within one run.
    const isThere = this.transactions.has(row.transaction_id) || this.#unsettled.transactions.has(row.transaction_id);
    if (isThere) throw new StoreFailed("the row contradicts the store");
    this.transactions.set(row.transaction_id, row);
  }

  changeTransaction(
    transaction_id: string,
    from: readonly TransactionRow["status"][],
    change: Partial<TransactionRow>,
  ): boolean {
    const before = this.findTransaction(transaction_id);
    if (before === null || !from.includes(before.status)) return false;
    this.transactions.set(transaction_id, { ...before, ...change });
    return true;
  }

  openTransaction(call_id: string): TransactionRow | null {
    let newest: TransactionRow | null = null;
    const consider = (row: TransactionRow | null): void => {
      if (row === null || row.call_id !== call_id) return;
      if (row.status !== "authorized" && row.status !== "unknown") return;
      if (newest === null || row.transaction_id > newest.transaction_id) newest = row;
    };
    for (const row of this.transactions.values()) consider(row);
    for (const id of this.#unsettled.ofCall(call_id))
      if (!this.transactions.has(id)) consider(this.findTransaction(id));
    const stored = this.#database.openTransaction(call_id);
    if (stored !== null) {
      const now = this.findTransaction(stored.transaction_id);
      // The newest that the database knows is over by now: whether an older one is open, only it can tell.
      if (now?.status !== "authorized" && now?.status !== "unknown" && newest === null) return this.#toDatabase();
      consider(now);
    }
    return newest;
  }

  findBox(place: string, now_ms: number): Uint8Array | null {
    const waiting = this.boxes.get(place) ?? this.#unsettled.boxes.get(place);
    if (waiting === undefined) return this.#database.findBox(place, now_ms);
    return waiting.expires_ms > now_ms ? waiting.box : null;
  }

  putBox(place: string, expires_ms: number, box: Uint8Array): void {
    this.boxes.set(place, { expires_ms, box });
  }

  spent(counter: string, since_ms: number): number {
    let own = 0;
    for (const row of this.spending.values()) if (row.counter === counter && row.at_ms > since_ms) own += row.amount;
    return this.#database.spent(counter, since_ms) + this.#unsettled.spent(counter, since_ms) + own;
  }

  spend(rows: readonly SpendingRow[]): void {
    for (const row of rows) {
      const key = spendingKey(row);
      const before = this.spending.get(key);
      this.spending.set(key, before === undefined ? row : bothOf(before, row));
    }
  }

  /** Whether a member stands is known here; how many others do, where one comes that is new, the database counts. */
  spread(counter: string, since_ms: number, own: readonly string[]): number {
    const stands = (member: string): boolean => this.spent(memberCounter(counter, member), since_ms) > 0;
    return own.every(stands) ? 0 : this.#toDatabase();
  }

  insertReceipts(rows: readonly NewReceipt[]): void {
    // A sealed answer is stored with its receipt or not at all, which takes the database.
    if (rows.some(({ kept }) => kept !== null)) this.#toDatabase();
    this.receipts.push(...rows);
  }

  readonly #toDatabase = (): never => {
    this.needsDatabase = true;
    throw new NeedsDatabase();
  };

  /** Its one writer is asked before each call, and knows (stops/stop-switch.ts): nobody else could have begun one. */
  isStopped(): boolean {
    return false;
  }

  stops = this.#toDatabase;
  beginStop = this.#toDatabase;
  endStop = this.#toDatabase;
  releaseSpending = this.#toDatabase;
  findApproval = this.#toDatabase;
  listApprovals = this.#toDatabase;
  listTransactions = this.#toDatabase;
  hasAsked = this.#toDatabase;
  changeAskers = this.#toDatabase;
  overdueTransactions = this.#toDatabase;
  insertApproval = this.#toDatabase;
  changeApproval = this.#toDatabase;
  approvalFor = this.#toDatabase;
  standingGrants = this.#toDatabase;
  overdueApprovals = this.#toDatabase;
  useToken = this.#toDatabase;
  prune = this.#toDatabase;
  deleteExpired = this.#toDatabase;
  findDocument = this.#toDatabase;
  listDocuments = this.#toDatabase;
  documentVersions = this.#toDatabase;
  putDocument = this.#toDatabase;
  keepDocument = this.#toDatabase;
  deleteDocument = this.#toDatabase;
}

/** One call may take part in two limits that share a counter. */
const bothOf = (one: SpendingRow, other: SpendingRow): SpendingRow => ({
  ...one,
  amount: one.amount + other.amount,
  expires_ms: Math.max(one.expires_ms, other.expires_ms),
});
