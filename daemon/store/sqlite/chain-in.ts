import { ledgerExists, openDatabase } from "./open-database.ts";

/** The chain of a ledger, read beside the daemon that writes it; null where there is no ledger. Throws StoreRefused. */
export const chainIn = (path: string): string | null => {
  if (!ledgerExists(path)) return null;
  const { db, identity } = openDatabase(path, "read");
  db.close();
  return identity.chain;
};
