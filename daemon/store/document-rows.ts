import type { Maybe } from "./steps.ts";

/**
 * What is kept of servers, by collection and key: text of the code's own making. `key` is hex and a few signs of ours, never a name
 * off the wire.
 */
export interface DocumentRow {
  readonly key: string;
  /** 1 when it is put first; rises by one with every change. */
  readonly version: number;
  /** JSON text. */
  readonly body: string;
}

export type Collection = "baseline" | "definition" | "probe" | "profile" | "server";

export interface DocumentReads {
  findDocument(collection: Collection, key: string): Maybe<DocumentRow | null>;
  /** Those whose key begins with `prefix`, by key, from after `after`; at most `limit`. */
  listDocuments(collection: Collection, page: DocumentPage): Maybe<readonly DocumentRow[]>;
  /** Of every document of a collection, without what is in it: what changed is read again. */
  documentVersions(collection: Collection): Maybe<readonly Pick<DocumentRow, "key" | "version">[]>;
}

export interface DocumentPage {
  readonly prefix: string;
  /** The last key of the page before; "" for the first. */
  readonly after: string;
  readonly limit: number;
}

export interface DocumentTx extends DocumentReads {
  /** Conditional on the version that stands, 0 where there is none: false where it is another. The row's version is then one more. */
  putDocument(collection: Collection, key: string, version: number, body: string): Maybe<boolean>;
  /** Puts it where there is none; what is there stays as it is. For what is named by its own hash. */
  keepDocument(collection: Collection, key: string, body: string): Maybe<void>;
  deleteDocument(collection: Collection, key: string): Maybe<void>;
}
