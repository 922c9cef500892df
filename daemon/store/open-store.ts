import { journaledStore } from "./journal/journaled-store.ts";
import { StoreFailed, StoreRefused } from "./refused.ts";
import { inPlace } from "./sqlite/in-place.ts";
import { acquireLock } from "./sqlite/lock.ts";
import { openSqliteStore } from "./sqlite/open-store.ts";
import type { Durability } from "./sqlite/receipt-store.ts";
import type { StateDirectory } from "./state-directory.ts";
import type { EmbeddedStore } from "./store.ts";

/**
 * Opens the store of a state directory for its one writer, created on the first start: receipts go to the journal and
 * from there to the database. The writer holds a lock of its own until it closes or its thread ends: two would each go
 * on from the same head. Throws StoreRefused; nothing that exists is overwritten.
 */
export const openStore = (
  directory: StateDirectory,
  durability: Durability,
  expectChain: string | null,
): { readonly store: EmbeddedStore; readonly key: Uint8Array } => {
  const lock = acquireLock(directory.writerLockPath);
  if (lock === null) throw new StoreRefused("ledger_in_use", `another writer has the ledger in ${directory.path}`);
  try {
    const { store: database, key } = openSqliteStore(directory, durability, expectChain);
    const databaseInPlace = inPlace(directory.ledgerPath);
    let journalInPlace: (() => void) | null = null;
    const store = opened(database, () =>
      journaledStore(database, {
        path: directory.journalPath,
        sync: durability === "power",
        assertInPlace: () => {
          journalInPlace ??= inPlace(directory.journalPath);
          databaseInPlace();
          journalInPlace();
        },
      }),
    );
    const close = (): void => {
      store.close();
      lock.release();
    };
    return { store: Object.freeze({ ...store, close }), key };
  } catch (error) {
    lock.release();
    throw error;
  }
};

const opened = (database: EmbeddedStore, open: () => EmbeddedStore): EmbeddedStore => {
  try {
    return open();
  } catch (error) {
    database.close();
    throw error instanceof StoreFailed ? new StoreRefused("store_unavailable", error.message) : error;
  }
};
