import type Database from "better-sqlite3";
import { documentTables } from "./documents.ts";
import { transactionTables } from "./transaction-schema.ts";
import { trustTables } from "./trust-schema.ts";

/** Bytes 68..71 of the file: "ILK1". What tells a ledger from any other SQLite database. */
export const applicationId = 0x494c4b31;
/** `user_version` of the file. A release that reads several has a migration for each older one (migrate.ts). */
export const schemaVersion = 4;

/**
 * `pages` holds the receipts, up to 64 to a row (store/page.ts): a row costs more than the bytes in it. It has no
 * secondary index; what a resend looks up is in memory (ledger/resend-index.ts).
 */
const tables = `
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE pages(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, lines TEXT NOT NULL) STRICT;
CREATE TABLE kept(seq INTEGER PRIMARY KEY, expires_ms INTEGER NOT NULL, box BLOB NOT NULL) STRICT;
CREATE TABLE served(rule_set TEXT PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

export interface Identity {
  readonly chain: string;
  /** Digest of the store key: a ledger opens only with the key it was created with. */
  readonly keyDigest: string;
}

export const createSchema = (db: Database.Database, identity: Identity): void => {
  db.transaction(() => {
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${schemaVersion}`);
    db.exec(tables);
    db.exec(transactionTables);
    db.exec(trustTables);
    db.exec(documentTables);
    const put = db.prepare("INSERT INTO meta(name, value) VALUES(?, ?)");
    put.run("chain", identity.chain);
    put.run("key_digest", identity.keyDigest);
  })();
};

/** The chain and key digest, or null where `meta` does not hold them. */
export const readIdentity = (db: Database.Database): Identity | null => {
  const get = db.prepare("SELECT value FROM meta WHERE name = ?").pluck();
  const chain = get.get("chain");
  const keyDigest = get.get("key_digest");
  return typeof chain === "string" && typeof keyDigest === "string" ? Object.freeze({ chain, keyDigest }) : null;
};
