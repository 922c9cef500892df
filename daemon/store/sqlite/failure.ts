import { StoreFailed, type StoreRefusal, StoreRefused } from "../refused.ts";
import { codeOf } from "../state-directory.ts";

const words: readonly (readonly [prefix: string, words: string])[] = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_IOERR", "the disk failed"],
  ["SQLITE_CORRUPT", "the database is damaged"],
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_READONLY", "the database is read-only"],
  ["SQLITE_CANTOPEN", "the database cannot be opened"],
  ["SQLITE_BUSY", "the database is locked by another process"],
  ["SQLITE_CONSTRAINT", "the row contradicts the store"],
  ["SQLITE_TOOBIG", "the row is too big"],
];

/** SQLite's own message can quote SQL and paths; the code is enough, and safe to show. */
const describe = (error: unknown): string => {
  const code = codeOf(error);
  return `${words.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "the store failed"} (${code})`;
};

/** A failure while the store is in use. What is not SQLite's passes through: it is the caller's own. */
export const asFailure = (error: unknown): unknown =>
  codeOf(error).startsWith("SQLITE_") ? new StoreFailed(describe(error)) : error;

/** A failure while the file is being opened. */
export const asRefusal = (error: unknown, path: string): StoreRefused => {
  if (error instanceof StoreRefused) return error;
  const code = codeOf(error);
  const refusal: StoreRefusal = code.startsWith("SQLITE_NOTADB")
    ? "ledger_foreign"
    : // SQLITE_ERROR at an opening is a table or a column that is not there.
      code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_ERROR"
      ? "ledger_corrupt"
      : "store_unavailable";
  return new StoreRefused(refusal, `cannot open ${path}: ${describe(error)}`);
};
