import { readJournalTail } from "../journal/tail.ts";
import { StoreRefused } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow } from "../store.ts";
import { asFailure } from "./failure.ts";
import { ledgerExists, openDatabase } from "./open-database.ts";

/** Rows of one turn. Each turn is a transaction of its own, so that a long read never holds the log back. */
const rowsPerTurn = 512;

/** Reads receipts beside a daemon that writes them; it writes nothing itself. */
export interface ReceiptReader {
  /** As the database says; a verifier compares it with what the receipts say. */
  readonly chain: string;
  /** The newest sequence number; 0 where there is none. Throws StoreFailed. */
  newestSeq(): number;
  find(seq: number): ReceiptRow | null;
  /** In order, from `from` to `to` inclusive, as far as there are any. Throws StoreFailed. */
  rows(from: number, to: number): IterableIterator<ReceiptRow>;
  close(): void;
}

/** Throws StoreRefused. */
export const openReceiptReader = (directory: StateDirectory): ReceiptReader => {
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  const { db, identity } = openDatabase(directory.ledgerPath, "read");
  const newest = db.prepare<[], number>("SELECT seq FROM receipts ORDER BY seq DESC LIMIT 1").pluck();
  const one = db.prepare<[number], ReceiptRow>("SELECT seq, receipt, hash, salt FROM receipts WHERE seq = ?");
  const turn = db.prepare<[number, number], ReceiptRow>(
    `SELECT seq, receipt, hash, salt FROM receipts WHERE seq >= ? AND seq <= ? ORDER BY seq LIMIT ${rowsPerTurn}`,
  );
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw asFailure(error);
    }
  };
  const newestInDatabase = (): number => reading(() => newest.get() ?? 0);
  /** What waits in the journal, after what the database has. */
  const tail = (): readonly ReceiptRow[] => readJournalTail(directory.journalPath).rows;
  return Object.freeze({
    chain: identity.chain,
    // The journal first: what leaves it between the two looks is in the database by then.
    newestSeq: () => Math.max(tail().at(-1)?.seq ?? 0, newestInDatabase()),
    find(seq: number) {
      const waiting = tail();
      return reading(() => one.get(seq) ?? null) ?? waiting.find((row) => row.seq === seq) ?? null;
    },
    *rows(from: number, to: number) {
      for (let next = from; ; ) {
        const waiting = tail();
        const found = reading(() => turn.all(next, to));
        yield* found;
        const last = found.at(-1);
        if (last !== undefined) {
          next = last.seq + 1;
          continue;
        }
        // Nothing more in the database: what waits continues it, where the journal was caught whole.
        const rest = waiting.filter(({ seq }) => seq >= next && seq <= to);
        if (rest[0]?.seq === next || next === from) yield* rest;
        return;
      }
    },
    close: () => void db.close(),
  });
};
