import type Database from "better-sqlite3";
import type { ChangedRows } from "../changed-rows.ts";
import { boxes } from "./boxes.ts";
import { transactionColumns } from "./transactions.ts";

/** Puts rows of claims, transactions and boxes as they are to stand, whatever stood there: the journal has decided. For whoever holds the write transaction. */
export const putRows = (db: Database.Database): ((rows: ChangedRows) => void) => {
  const putClaim = db.prepare(
    "INSERT OR REPLACE INTO claims(key, transaction_id, content, state, lease_until_ms, expires_ms) VALUES(?, ?, ?, ?, ?, ?)",
  );
  const dropClaim = db.prepare("DELETE FROM claims WHERE key = ?");
  const putTransaction = db.prepare(
    `INSERT OR REPLACE INTO transactions(${transactionColumns.join(", ")}) VALUES(${transactionColumns.map(() => "?").join(", ")})`,
  );
  const { putBox } = boxes(db);
  return (rows) => {
    for (const [key, claim] of rows.claims) {
      if (claim === null) dropClaim.run(key);
      else {
        const { transaction_id, content, state, lease_until_ms, expires_ms } = claim;
        putClaim.run(key, transaction_id, content, state, lease_until_ms, expires_ms);
      }
    }
    for (const row of rows.transactions.values()) putTransaction.run(...transactionColumns.map((name) => row[name]));
    for (const [place, { expires_ms, box }] of rows.boxes) putBox(place, expires_ms, box);
  };
};
