import type { DatabaseRows } from "../page.ts";
import type { TransactionReads } from "../transaction-rows.ts";
import type { UnsettledRows } from "./unsettled-rows.ts";

/** What stands: in the journal where it is there, else in the database. Lists are of both, so they settle the one into the other first. */
export const journaledReads = (
  database: TransactionReads,
  rows: DatabaseRows,
  unsettled: UnsettledRows,
  settle: () => void,
): TransactionReads =>
  Object.freeze({
    findTransaction: (transaction_id: string) =>
      unsettled.transactions.get(transaction_id) ?? database.findTransaction(transaction_id),
    findClaim: (key: string) => {
      const waiting = unsettled.claims.get(key);
      return waiting === undefined ? rows.findClaim(key) : waiting;
    },
    findBox: (place: string, now_ms: number) => {
      const waiting = unsettled.boxes.get(place);
      if (waiting === undefined) return database.findBox(place, now_ms);
      return waiting.expires_ms > now_ms ? waiting.box : null;
    },
    findApproval: (approval_id: string) => database.findApproval(approval_id),
    stops: (since_ms: number) => database.stops(since_ms),
    findDocument: (collection, key) => database.findDocument(collection, key),
    listDocuments: (collection, page) => database.listDocuments(collection, page),
    documentVersions: (collection) => database.documentVersions(collection),
    listApprovals: (filter) => database.listApprovals(filter),
    listTransactions: (filter) => {
      settle();
      return database.listTransactions(filter);
    },
  } satisfies TransactionReads);
