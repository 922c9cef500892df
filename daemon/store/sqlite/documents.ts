import type Database from "better-sqlite3";
import type { DocumentRow, DocumentTx } from "../document-rows.ts";

/** What is known of servers (document-rows.ts). */
export const documentTables = `
CREATE TABLE documents(
  collection TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY(collection, key)
) STRICT, WITHOUT ROWID;
`;

export const documents = (db: Database.Database): DocumentTx => {
  const find = db.prepare<[string, string], DocumentRow>(
    "SELECT key, version, body FROM documents WHERE collection = ? AND key = ?",
  );
  const list = db.prepare<[string, string, string, string, string, number], DocumentRow>(
    `SELECT key, version, body FROM documents
     WHERE collection = ? AND key >= ? AND key > ? AND substr(key, 1, length(?)) = ? ORDER BY key LIMIT ?`,
  );
  const versions = db.prepare<[string], Pick<DocumentRow, "key" | "version">>(
    "SELECT key, version FROM documents WHERE collection = ? ORDER BY key",
  );
  const insert = db.prepare(
    "INSERT INTO documents(collection, key, version, body) VALUES(?, ?, 1, ?) ON CONFLICT(collection, key) DO NOTHING",
  );
  const update = db.prepare(
    "UPDATE documents SET version = version + 1, body = ? WHERE collection = ? AND key = ? AND version = ?",
  );
  const remove = db.prepare("DELETE FROM documents WHERE collection = ? AND key = ?");
  return {
    findDocument: (collection, key) => find.get(collection, key) ?? null,
    listDocuments: (collection, { prefix, after, limit }) => list.all(collection, prefix, after, prefix, prefix, limit),
    documentVersions: (collection) => versions.all(collection),
    putDocument: (collection, key, version, body) =>
      (version === 0 ? insert.run(collection, key, body) : update.run(body, collection, key, version)).changes === 1,
    keepDocument: (collection, key, body) => void insert.run(collection, key, body),
    deleteDocument: (collection, key) => void remove.run(collection, key),
  };
};
