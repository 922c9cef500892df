import { type CheckpointReads, type CheckpointStore, hashesFrom, type NewCheckpoint } from "../checkpoint-rows.ts";
import { StoreFailed } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { Statement } from "./connection.ts";
import { checkpointsOf } from "./read-checkpoints.ts";
import { openChainToRead } from "./read-receipts.ts";
import type { Asked } from "./receipts.ts";

const hashes: Statement = {
  name: "hashes",
  text: "SELECT seq, hash FROM interlock.receipts WHERE chain = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq",
};
const put: Statement = {
  name: "put_checkpoint",
  text: `INSERT INTO interlock.checkpoints(chain, size, time_ms, note) VALUES($1, $2, $3, $4)
    ON CONFLICT (chain, size) DO NOTHING`,
};
const replace: Statement = {
  name: "replace_note",
  text: "UPDATE interlock.checkpoints SET note = $4 WHERE chain = $1 AND size = $2 AND note = $3",
};

export const checkpointReads = (chain: string, asked: Asked): CheckpointReads => {
  const stored = checkpointsOf(chain);
  // A column of their own: there is nothing quicker.
  const stand = async (from: number, count: number): Promise<Uint8Array> => {
    const { rows } = await asked.query(hashes, [chain, from, from + count - 1]);
    return hashesFrom(from, rows as unknown as readonly { readonly seq: number; readonly hash: string }[]);
  };
  return Object.freeze({
    newest: () => stored.checkpointThrough(asked, Number.MAX_SAFE_INTEGER),
    async find(size: number) {
      const row = await stored.checkpointThrough(asked, size);
      return row?.size === size ? row : null;
    },
    through: (size: number) => stored.checkpointThrough(asked, size),
    mark: () => stored.mark(asked),
    hashes: stand,
    leaves: stand,
  });
};

/** A connection of its own, beside the daemon's. Throws StoreRefused. */
export const openPostgresCheckpoints = async (address: string, directory: StateDirectory): Promise<CheckpointStore> => {
  const { id, connection, questions } = await openChainToRead(address, directory);
  const reads = checkpointReads(id, connection);
  return Object.freeze({
    ...reads,
    chain: id,
    newestSeq: async () => (await questions.head(connection)).seq,
    async put({ size, time_ms, note }: NewCheckpoint) {
      await connection.query(put, [id, size, time_ms, note]);
      const standing = await reads.find(size);
      if (standing === null) throw new StoreFailed("the checkpoint was not stored");
      return standing;
    },
    // What PostgreSQL has committed is on its disk (connection.ts asks it to be).
    sync: () => undefined,
    replaceNote: async (size: number, before: string, after: string) =>
      (await connection.query(replace, [id, size, before, after])).rowCount === 1,
    close: () => connection.close(),
  });
};
