import type Database from "better-sqlite3";
import { documentTables } from "./documents.ts";
import { schemaVersion } from "./schema.ts";
import { transactionTables } from "./transaction-schema.ts";
import { trustTables } from "./trust-schema.ts";

/** What each older schema lacks. A new version adds its step; no step is changed once it was released. */
const steps: Readonly<Record<number, string>> = Object.freeze({
  1: transactionTables,
  2: trustTables,
  3: documentTables,
});

/** The oldest schema that this release opens. */
export const oldestSchema = 1;

/**
 * Brings an opened ledger to this release's schema, in one transaction: a crash leaves the old one whole. Receipts are
 * not touched. To be called by the one writer, once the ledger is known to be ours.
 */
export const migrate = (db: Database.Database): void => {
  if (versionOf(db) === schemaVersion) return;
  db.transaction(() => {
    for (let version = versionOf(db); version < schemaVersion; version++) {
      db.exec(steps[version] as string);
      db.pragma(`user_version = ${version + 1}`);
    }
  }).immediate();
};

const versionOf = (db: Database.Database): number => db.pragma("user_version", { simple: true }) as number;
