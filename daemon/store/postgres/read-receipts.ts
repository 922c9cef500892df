import type { ReceiptReader } from "../receipt-reader.ts";
import { StoreFailed, StoreRefused } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { ReceiptRow, SaltName } from "../store.ts";
import { printableAddress } from "./address.ts";
import { readChainFile } from "./chain-file.ts";
import { Connection, type Statement } from "./connection.ts";
import { storedDigest } from "./deployment-key.ts";
import { documentReads } from "./documents.ts";
import { assertCurrent, readSchema } from "./migrate.ts";
import { checkpointsOf } from "./read-checkpoints.ts";
import { chainOf } from "./receipts.ts";

/** Receipts of one turn. */
const receiptsPerTurn = 1_000;

const boxesOf: Statement = {
  name: "read_boxes",
  text: "SELECT place, box FROM interlock.boxes WHERE place = ANY($1::text[]) AND expires_ms > $2",
};

/** The chain that a state directory names, in a database whose schema is this release's. Throws StoreRefused. */
export const openChainToRead = async (address: string, directory: StateDirectory) => {
  const chain = readChainFile(directory.chainPath);
  if (chain === null) {
    throw new StoreRefused("ledger_missing", `${directory.path} names no chain of ${printableAddress(address)}`);
  }
  const connection = new Connection(address);
  try {
    assertCurrent(await connection.exclusively(readSchema));
    return { id: chain, connection, questions: chainOf(chain) };
  } catch (error) {
    await connection.close();
    if (!(error instanceof StoreFailed)) throw error;
    throw new StoreRefused("store_unavailable", `cannot open ${printableAddress(address)}: ${error.message}`);
  }
};

/** Throws StoreRefused. */
export const openPostgresReader = async (address: string, directory: StateDirectory): Promise<ReceiptReader> => {
  const { id, connection, questions } = await openChainToRead(address, directory);
  const trust = checkpointsOf(id);
  async function* rows(from: number, to: number): AsyncGenerator<ReceiptRow> {
    for (let next = from; next <= to; ) {
      const turn = await questions.range(connection, next, to, receiptsPerTurn);
      yield* turn;
      const last = turn.at(-1);
      if (last === undefined) return;
      next = last.seq + 1;
    }
  }
  return Object.freeze({
    chain: id,
    newestSeq: async () => (await questions.head(connection)).seq,
    find: (seq: number) => questions.find(connection, seq),
    rows,
    checkpoints: (from: number, to: number) => trust.checkpoints(connection, from, to),
    checkpointThrough: (size: number) => trust.checkpointThrough(connection, size),
    mark: () => trust.mark(connection),
    async boxes(places: readonly string[], now_ms: number) {
      const { rows: found } = await connection.query(boxesOf, [places, now_ms]);
      return new Map(found.map(({ place, box }) => [place as string, new Uint8Array(box as Buffer)]));
    },
    documents: documentReads((statement, values) => connection.query(statement, values), "not locked"),
    keyDigest: () => connection.exclusively(storedDigest),
    close: () => connection.close(),
  });
};

/**
 * Erases salts of one receipt, and with the one of what was put its call, where that was captured: what a commitment was made
 * over can then no longer be guessed at, and its chain verifies as before. Works beside the daemon. True where there was
 * any. The old bytes go with PostgreSQL's next VACUUM; its log and backups are out of reach. Throws StoreRefused and StoreFailed.
 */
export const erasePostgresSalts = async (
  address: string,
  directory: StateDirectory,
  seq: number,
  names: readonly SaltName[],
): Promise<boolean> => {
  const { connection, questions } = await openChainToRead(address, directory);
  try {
    return await questions.eraseSalts(connection, seq, names);
  } finally {
    await connection.close();
  }
};
