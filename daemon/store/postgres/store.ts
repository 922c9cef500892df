import { setTimeout as after } from "node:timers/promises";
import { StoreFailed } from "../refused.ts";
import { runSteps, type Steps } from "../steps.ts";
import type { NewReceipt, ServedVersion, Store } from "../store.ts";
import type { StoreTx } from "../transaction-rows.ts";
import { checkpointReads } from "./checkpoint-rows.ts";
import type { Connection, Session } from "./connection.ts";
import { StoreConflict } from "./failure.ts";
import { chainOf, insertReceipts, type Writer } from "./receipts.ts";
import { storeTx } from "./transaction.ts";
import { transactionReads } from "./transaction-reads.ts";

/** A transaction that lost against another daemon's is run again, so often, and then its calls are blocked. */
const attempts = 5;
const pauseAtMost_ms = 20;

const commit = async (session: Session): Promise<void> => {
  const { command } = await session.query("COMMIT");
  // A transaction in which a statement failed is rolled back by COMMIT, which reports no error.
  if (command !== "COMMIT") throw new StoreFailed("the transaction was rolled back");
};

const rollback = (session: Session): Promise<unknown> =>
  // A session that is lost has been rolled back by the server.
  session.query("ROLLBACK").catch(() => undefined);

const once = async <T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> => {
  await session.query("BEGIN");
  try {
    const result = await work(session);
    await commit(session);
    return result;
  } catch (error) {
    await rollback(session);
    throw error;
  }
};

/** Runs `work` in a transaction, and again where it lost against another. Throws what it throws, and StoreFailed. */
export const inTransaction = async <T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(session, work);
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === attempts) throw error;
    }
    await after(Math.random() * pauseAtMost_ms);
  }
};

/**
 * The store of one daemon on PostgreSQL: store.ts's promises over two connections, one that writes and one that reads.
 *
 * @param writer is asked before every write: after a lost connection the chain was opened anew, with another epoch.
 */
export const postgresStore = (chainId: string, writing: Connection, reading: Connection, writer: () => Writer) => {
  const chain = chainOf(chainId);
  const insertAll = (rows: readonly NewReceipt[]): Promise<void> =>
    writing.exclusively((session) => insertReceipts(session, writer(), rows));
  return Object.freeze({
    chain: chainId,
    checkpoints: checkpointReads(chainId, reading),
    // Over the connection that writes: after a lost COMMIT, that is the one which knows what became of it.
    head: () => chain.head(writing),
    insert: (receipt: NewReceipt) => insertAll([receipt]),
    insertAll,
    settle: () => undefined,
    find: (seq: number) => chain.find(reading, seq),
    newest: (count: number) => chain.newest(reading, count),
    findKept: (seq: number) => chain.findKept(reading, seq),
    deleteKept: (now_ms: number, longest_ms: number) => chain.deleteKept(writing, now_ms, longest_ms),
    keptBytes: () => chain.keptBytes(reading),
    served: (ruleSet: string) => chain.served(reading, ruleSet),
    recordServed: (ruleSet: string, served: ServedVersion) => chain.recordServed(writing, ruleSet, served),
    transact: <T>(work: (tx: StoreTx) => Steps<T>): Promise<T> =>
      writing.exclusively((session) =>
        inTransaction(session, async () =>
          runSteps(work(storeTx(session, chainId, (rows) => insertReceipts(session, writer(), rows)))),
        ),
      ),
    reads: transactionReads((statement, values) => reading.query(statement, values), "not locked"),
    async close() {
      await Promise.all([writing.close(), reading.close()]);
    },
  } satisfies Store);
};
