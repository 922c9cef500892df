import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import type { PagedStore } from "../page.ts";
import { StoreRefused } from "../refused.ts";
import { codeOf, type StateDirectory } from "../state-directory.ts";

import { adoptStoreKey, pendingStoreKey, readStoreKey, storeKeyBytes, writePendingStoreKey } from "../store-key.ts";
import { createDatabase } from "./create-database.ts";
import { keyDigest } from "./key-digest.ts";
import { migrate } from "./migrate.ts";
import { ledgerExists, openDatabase } from "./open-database.ts";
import { type Durability, sqliteReceiptStore } from "./receipt-store.ts";

/**
 * A ledger and its key are created together and open together. Creation: key under another name, ledger into place,
 * key into place; so a crash leaves nothing, or a ledger whose key waits beside it, and never a key alone. A key
 * without its ledger therefore means that the ledger was lost, and that is refused, never begun anew in silence.
 */
const createPair = (directory: StateDirectory): void => {
  const key = randomBytes(storeKeyBytes);
  try {
    rmSync(pendingStoreKey(directory.keyPath), { force: true });
    writePendingStoreKey(directory.keyPath, key);
    createDatabase(directory.ledgerPath, { chain: randomBytes(16).toString("hex"), keyDigest: keyDigest(key) });
    adoptStoreKey(directory.keyPath);
  } catch (error) {
    throw new StoreRefused("store_unavailable", `cannot create a ledger in ${directory.path} (${codeOf(error)})`);
  }
};

const keyOf = (directory: StateDirectory): Uint8Array => {
  const key = readStoreKey(directory.keyPath);
  if (key !== null) return key;
  const pending = readStoreKey(pendingStoreKey(directory.keyPath));
  if (pending === null) {
    throw new StoreRefused("store_key_missing", `${directory.keyPath} is missing; restore the key of this ledger`);
  }
  return pending;
};

/**
 * Opens the store of a state directory for its one writer, created on the first start. `expectChain` refuses any other
 * chain. Throws StoreRefused; nothing that exists is overwritten.
 */
export const openSqliteStore = (
  directory: StateDirectory,
  durability: Durability,
  expectChain: string | null,
): { readonly store: PagedStore; readonly key: Uint8Array } => {
  if (!ledgerExists(directory.ledgerPath)) {
    if (readStoreKey(directory.keyPath) !== null) {
      const advice = "restore it, or remove store.key to begin a new chain";
      throw new StoreRefused("ledger_missing", `${directory.ledgerPath} is missing; ${advice}`);
    }
    // Whoever expects a chain had one: it was lost, and another is not begun in its place.
    if (expectChain !== null) {
      throw new StoreRefused("ledger_missing", `${directory.ledgerPath} is missing; restore chain ${expectChain}`);
    }
    createPair(directory);
  }
  const key = keyOf(directory);
  const { db, identity } = openDatabase(directory.ledgerPath, "write");
  try {
    if (identity.keyDigest !== keyDigest(key)) {
      throw new StoreRefused("ledger_other_chain", `${directory.ledgerPath} was not created with this store.key`);
    }
    if (expectChain !== null && identity.chain !== expectChain) {
      throw new StoreRefused(
        "ledger_other_chain",
        `${directory.ledgerPath} is chain ${identity.chain}, not the expected one`,
      );
    }
    if (readStoreKey(directory.keyPath) === null) adoptStoreKey(directory.keyPath);
    migrate(db);
    return { store: sqliteReceiptStore(db, identity.chain, durability), key };
  } catch (error) {
    db.close();
    throw error instanceof StoreRefused
      ? error
      : new StoreRefused("store_unavailable", `cannot open ${directory.ledgerPath} (${codeOf(error)})`);
  }
};
