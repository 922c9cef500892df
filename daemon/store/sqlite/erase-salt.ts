import { readJournalTail } from "../journal/tail.ts";
import { StoreFailed } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import { asFailure } from "./failure.ts";
import { openDatabase } from "./open-database.ts";

/**
 * Erases the salt of one receipt: what its commitment was made over can then no longer be guessed at, and its chain
 * verifies as before. Works beside the daemon. True where there was a salt. Throws StoreRefused and StoreFailed.
 *
 * The old bytes are overwritten in the database file, and the log is emptied; copies elsewhere (backups, a file system
 * that keeps old blocks) are out of reach.
 */
export const eraseSalt = (directory: StateDirectory, seq: number): boolean => {
  const { db } = openDatabase(directory.ledgerPath, "write");
  try {
    db.pragma("secure_delete = ON");
    const { changes } = db.prepare("UPDATE receipts SET salt = NULL WHERE seq = ? AND salt IS NOT NULL").run(seq);
    db.pragma("wal_checkpoint(TRUNCATE)");
    if (
      changes === 0 &&
      readJournalTail(directory.journalPath).rows.some((row) => row.seq === seq && row.salt !== null)
    ) {
      throw new StoreFailed("the receipt is still in the journal; try again once the daemon has settled it");
    }
    return changes === 1;
  } catch (error) {
    throw asFailure(error);
  } finally {
    db.close();
  }
};
