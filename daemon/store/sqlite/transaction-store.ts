import type Database from "better-sqlite3";
import type { NewReceipt } from "../store.ts";
import type { SpendingRow, StoreTx, TransactionReads } from "../transaction-rows.ts";
import { approvals } from "./approvals.ts";
import { boxes } from "./boxes.ts";
import { claims } from "./claims.ts";
import { documents } from "./documents.ts";
import { asFailure } from "./failure.ts";
import { pruning } from "./prune.ts";
import { spending } from "./spending.ts";
import { stops } from "./stops.ts";
import { sweep } from "./sweep.ts";
import { transactions } from "./transactions.ts";
import { usedTokens } from "./used-tokens.ts";

export interface Rows {
  readonly tx: StoreTx;
  /** To be called where a transaction was rolled back: nothing that it wrote is remembered. */
  readonly rolledBack: () => void;
  readonly putSpending: (rows: Iterable<SpendingRow>) => void;
}

/** The rows of transactions in a database, for whoever holds its one write transaction. */
export const transactionStore = (
  db: Database.Database,
  chain: string,
  insertReceipts: (rows: readonly NewReceipt[]) => void,
): Rows => {
  const { forgetSums, putSpending, ...spent } = spending(db);
  const { deleteExpired } = sweep(db);
  const rows = {
    ...transactions(db),
    ...claims(db),
    ...approvals(db),
    ...spent,
    ...boxes(db),
    ...usedTokens(db),
    ...stops(db),
    ...documents(db),
    insertReceipts,
    prune: pruning(db, chain),
    deleteExpired(now_ms: number): void {
      deleteExpired(now_ms);
      forgetSums();
    },
  };
  return Object.freeze({ tx: Object.freeze(rows), rolledBack: forgetSums, putSpending });
};

/** The same reads outside of a transaction. Each throws StoreFailed. */
export const transactionReads = (rows: () => TransactionReads): TransactionReads => {
  const reading = <T>(read: (rows: TransactionReads) => T): T => {
    try {
      return read(rows());
    } catch (error) {
      throw asFailure(error);
    }
  };
  return Object.freeze({
    findTransaction: (transaction_id: string) => reading((of) => of.findTransaction(transaction_id)),
    findApproval: (approval_id: string) => reading((of) => of.findApproval(approval_id)),
    findClaim: (key: string) => reading((of) => of.findClaim(key)),
    listApprovals: (filter) => reading((of) => of.listApprovals(filter)),
    listTransactions: (filter) => reading((of) => of.listTransactions(filter)),
    findBox: (place: string, now_ms: number) => reading((of) => of.findBox(place, now_ms)),
    stops: (since_ms: number) => reading((of) => of.stops(since_ms)),
    findDocument: (collection, key) => reading((of) => of.findDocument(collection, key)),
    listDocuments: (collection, page) => reading((of) => of.listDocuments(collection, page)),
    documentVersions: (collection) => reading((of) => of.documentVersions(collection)),
  } satisfies TransactionReads);
};
