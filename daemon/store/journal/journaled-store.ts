import { hasNone } from "../changed-rows.ts";
import {
  assertConsecutive,
  joinPages,
  type NewPage,
  type PagedStore,
  pagesOf,
  rowsOf,
  type Settling,
} from "../page.ts";
import { receiptLine } from "../receipt-line.ts";
import { StoreFailed, StoreRefused } from "../refused.ts";
import { runStepsNow, type Steps } from "../steps.ts";
import type { EmbeddedStore, Head, NewReceipt, ReceiptRow } from "../store.ts";
import type { StoreTx } from "../transaction-rows.ts";
import { type JournalFile, openJournalFile } from "./file.ts";
import { JournalTx } from "./journal-tx.ts";
import { journaledReads } from "./journaled-reads.ts";
import { RememberedClaims } from "./remembered-claims.ts";
import { rowsLine } from "./rows-line.ts";
import { readJournalTail } from "./tail.ts";
import { UnsettledRows } from "./unsettled-rows.ts";

/** So many receipts wait in the journal before they are settled in the database together, or so many bytes. */
export const settleAt = 512;
export const settleAtBytes = 8 * 1024 * 1024;
/** While the database refuses them, so many may wait; then nothing more is taken. What waits is in memory too, and read back as one text. */
export const maxUnsettled = 8_192;
export const maxUnsettledBytes = 64 * 1024 * 1024;

export interface JournalOptions {
  readonly path: string;
  /** Wait for the disk with every append. */
  readonly sync: boolean;
  /** Throws StoreFailed where the state directory's files are not the ones that were opened. */
  readonly assertInPlace: () => void;
}

/**
 * One append to a file makes a receipt as durable as a transaction does, at an eighth of its cost; the database then
 * takes hundreds in one transaction. The journal is emptied only after that transaction, so a receipt is always in one
 * of the two, and may be in both: the database's row is the authority, and what the journal repeats is skipped.
 *
 * What was left in the journal by a crash is settled before anything else happens. Takes over `database` and closes it.
 * Throws StoreRefused where the journal is damaged, or is not the continuation of the database.
 */
export const journaledStore = (database: PagedStore, options: JournalOptions): EmbeddedStore => {
  const journal = openJournalFile(options.path, options.sync);
  try {
    recover(database, journal, options.path);
  } catch (error) {
    journal.close();
    throw error;
  }
  const { assertInPlace } = options;
  /** What the journal holds, a page for each append. */
  let waiting: NewPage[] = [];
  let waitingCount = 0;
  /** Null where a commit failed and may stand all the same: then the database knows. */
  let newest: Head | null = database.head();
  let settleFailed = false;
  const unsettled = new UnsettledRows();
  const stored = new RememberedClaims(database.rows);
  let closed = false;

  /** The commit that was reported as failed may stand, with all that waited for it: that is not moved again. */
  const lookAfterFailure = (): void => {
    if (!settleFailed) return;
    const { seq } = database.head();
    waiting = waiting.filter(({ last }) => last > seq);
    waitingCount = waiting.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    if (waitingCount === 0) unsettled.clear();
    settleFailed = false;
  };

  /** Moves what waits by `move`; the journal is to be emptied where that stands. */
  const settleBy = <T>(move: (settling: Settling) => T): T => {
    lookAfterFailure();
    const settling = { pages: joinPages(waiting), rows: unsettled };
    stored.forget();
    settleFailed = true;
    const moved = move(settling);
    settleFailed = false;
    waiting = [];
    waitingCount = 0;
    unsettled.clear();
    return moved;
  };

  const settle = (): void => {
    if (waitingCount === 0) return;
    settleBy((settling) => database.insertSettled(settling));
    journal.empty();
  };

  /** Null where the work needs the database: nothing was done. */
  const transactInJournal = <T>(work: (tx: StoreTx) => Steps<T>): { readonly done: T } | null => {
    const tx = new JournalTx(unsettled, stored);
    let done: T;
    try {
      done = runStepsNow(work(tx));
    } catch (error) {
      if (tx.needsDatabase) return null;
      throw error;
    }
    if (tx.needsDatabase) return null;
    const { receipts } = tx;
    const first = receipts[0];
    const last = receipts.at(-1);
    // Rows stand with the receipts that tell of them; without any, the database takes them.
    if (first === undefined || last === undefined) return hasNone(tx) ? { done } : null;
    assertConsecutive(receipts, head().seq);
    makeRoom();
    const rows = hasNone(tx) ? "" : rowsLine({ first: first.seq, last: last.seq, rows: tx });
    append(receipts, first, last, rows);
    unsettled.add(tx);
    return { done };
  };

  /** In one transaction of the database with what waited before it, so that receipts keep their order there. */
  const transact = <T>(work: (tx: StoreTx) => Steps<T>): T => {
    assertInPlace();
    lookAfterFailure();
    const inJournal = transactInJournal(work);
    if (inJournal !== null) return inJournal.done;
    let done: T;
    try {
      done = settleBy((settling) => database.transactAfter(settling, work));
    } finally {
      // What it appended, and whether a commit that was reported as failed stands, the database knows.
      newest = null;
    }
    emptyIfPossible();
    return done;
  };

  /** What was committed stands: a journal that cannot be emptied repeats it, which is skipped. */
  const emptyIfPossible = (): void => {
    if (journal.bytes === 0) return;
    try {
      journal.empty();
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
    }
  };

  /** A database that refuses for a while is borne: the journal is as durable. Not for ever. */
  const makeRoom = (): void => {
    if (waitingCount < settleAt && journal.bytes < settleAtBytes) return;
    try {
      settle();
    } catch (error) {
      const isFull = waitingCount >= maxUnsettled || journal.bytes >= maxUnsettledBytes;
      if (!(error instanceof StoreFailed) || isFull) throw error;
    }
  };

  /** The newest of both: where a transaction failed, the journal may be ahead of the database, or behind it. */
  const readHead = (): Head => {
    const stored = database.head();
    const last = waiting.at(-1);
    const newestWaiting = last === undefined || last.last <= stored.seq ? undefined : rowsOf(last).at(-1);
    return newestWaiting === undefined ? stored : { seq: newestWaiting.seq, hash: newestWaiting.hash };
  };

  const head = (): Head => {
    newest ??= readHead();
    return newest;
  };

  const insertAll = (receipts: readonly NewReceipt[]): void => {
    const first = receipts[0];
    const last = receipts.at(-1);
    if (first === undefined || last === undefined) return;
    assertInPlace();
    // The database refuses a number that it has; a line of a file does not, so a fork is refused here.
    assertConsecutive(receipts, head().seq);
    if (receipts.some(({ kept }) => kept !== null)) {
      // A sealed answer is stored with its receipt or not at all, which takes a transaction.
      settle();
      newest = null;
      database.insertAll(receipts);
    } else {
      makeRoom();
      append(receipts, first, last, "");
    }
    newest = { seq: last.seq, hash: last.hash };
  };

  /** @param rows the line of the rows that these receipts tell of, or nothing. */
  const append = (receipts: readonly NewReceipt[], first: NewReceipt, last: NewReceipt, rows: string): void => {
    // What could not be emptied is in the database: behind it there would be a gap.
    if (waitingCount === 0 && journal.bytes > 0) journal.empty();
    let lines = "";
    let hashes = "";
    for (const receipt of receipts) {
      lines += receiptLine(receipt);
      hashes += receipt.hash;
    }
    journal.append(rows + lines);
    waiting.push({ first: first.seq, last: last.seq, lines, hashes });
    waitingCount += receipts.length;
    newest = { seq: last.seq, hash: last.hash };
  };

  return Object.freeze({
    ...database,
    head,
    insert: (receipt: NewReceipt) => insertAll([receipt]),
    insertAll,
    transact,
    reads: journaledReads(database.reads, stored, unsettled, settle),
    settle,
    find(seq: number) {
      const page = waiting.find(({ first, last }) => seq >= first && seq <= last);
      return page === undefined ? database.find(seq) : (rowsOf(page)[seq - page.first] ?? null);
    },
    newest(count: number) {
      settle();
      return database.newest(count);
    },
    close() {
      if (closed) return;
      closed = true;
      try {
        settle();
      } catch (error) {
        // What could not be settled stays in the journal, as durable there, and is settled at the next start.
        if (!(error instanceof StoreFailed)) throw error;
      }
      journal.close();
      database.close();
    },
  });
};

const recover = (database: PagedStore, journal: JournalFile, path: string): void => {
  if (journal.bytes === 0) return;
  const { rows, changed, damaged } = readJournalTail(path);
  if (damaged) throw new StoreRefused("ledger_corrupt", `${path} is damaged; run interlock receipts verify`);
  const { seq, hash } = database.head();
  const waiting = rows.filter((row) => row.seq > seq);
  const [first] = waiting;
  if (first !== undefined && (first.seq !== seq + 1 || linkOf(first) !== hash)) {
    throw new StoreRefused("ledger_corrupt", `${path} does not continue the receipts of its database`);
  }
  const unsettled = new UnsettledRows();
  for (const line of changed) if (line.first > seq) unsettled.add(line.rows);
  database.insertSettled({ pages: pagesOf(waiting), rows: unsettled });
  journal.empty();
};

/** What a receipt says of the one before it. */
const linkOf = ({ receipt }: ReceiptRow): unknown => {
  try {
    return (JSON.parse(receipt) as { prev?: unknown }).prev;
  } catch {
    return null;
  }
};
