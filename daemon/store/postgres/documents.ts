import type { DocumentReads, DocumentRow, DocumentTx } from "../document-rows.ts";
import type { Statement } from "./connection.ts";
import { toValue } from "./rows.ts";
import { fromText } from "./text.ts";
import type { Ask } from "./transaction-reads.ts";

type Stored = Readonly<Record<string, unknown>>;

const versionOf = ({ key, version }: Stored) => ({ key: String(key), version: Number(version) });
const rowOf = (stored: Stored): DocumentRow => ({ ...versionOf(stored), body: fromText(String(stored.body)) });

const list: Statement = {
  name: "list_documents",
  text: `SELECT key, version, body FROM interlock.documents
    WHERE collection = $1 AND key >= $2 AND key > $3 AND starts_with(key, $2) ORDER BY key LIMIT $4`,
};
const versions: Statement = {
  name: "document_versions",
  text: "SELECT key, version FROM interlock.documents WHERE collection = $1 ORDER BY key",
};
/** Whoever comes second waits here for the first's transaction to end, and is told that it was first. */
const insert: Statement = {
  name: "insert_document",
  text: `INSERT INTO interlock.documents(collection, key, version, body) VALUES($1, $2, 1, $3)
    ON CONFLICT (collection, key) DO NOTHING`,
};
const update: Statement = {
  name: "update_document",
  text: `UPDATE interlock.documents SET version = version + 1, body = $4
    WHERE collection = $1 AND key = $2 AND version = $3`,
};
const remove: Statement = {
  name: "delete_document",
  text: "DELETE FROM interlock.documents WHERE collection = $1 AND key = $2",
};

export const documentReads = (ask: Ask, locked: "locked" | "not locked"): DocumentReads => {
  const find: Statement = {
    name: `${locked === "locked" ? "lock" : "read"}_document`,
    text: `SELECT key, version, body FROM interlock.documents
      WHERE collection = $1 AND key = $2${locked === "locked" ? " FOR UPDATE" : ""}`,
  };
  return {
    async findDocument(collection, key) {
      const [row] = (await ask(find, [collection, key])).rows;
      return row === undefined ? null : rowOf(row);
    },
    listDocuments: async (collection, { prefix, after, limit }) =>
      (await ask(list, [collection, prefix, after, limit])).rows.map(rowOf),
    documentVersions: async (collection) => (await ask(versions, [collection])).rows.map(versionOf),
  };
};

export const documentTx = (ask: Ask): Omit<DocumentTx, keyof DocumentReads> => ({
  async putDocument(collection, key, version, body) {
    const put =
      version === 0
        ? await ask(insert, [collection, key, toValue(body)])
        : await ask(update, [collection, key, version, toValue(body)]);
    return put.rowCount === 1;
  },
  async keepDocument(collection, key, body) {
    await ask(insert, [collection, key, toValue(body)]);
  },
  async deleteDocument(collection, key) {
    await ask(remove, [collection, key]);
  },
});
