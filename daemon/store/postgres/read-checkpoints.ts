import { type CheckpointRow, type PrunedMark, readFrontier } from "../reader-rows.ts";
import type { Statement } from "./connection.ts";
import type { Asked } from "./receipts.ts";

/** Checkpoints of one turn. */
const checkpointsPerTurn = 256;

const range: Statement = {
  name: "checkpoints",
  text: `SELECT size, note FROM interlock.checkpoints WHERE chain = $1 AND size BETWEEN $2 AND $3
    ORDER BY size LIMIT ${checkpointsPerTurn}`,
};
const newestThrough: Statement = {
  name: "checkpoint_through",
  text: "SELECT size, note FROM interlock.checkpoints WHERE chain = $1 AND size <= $2 ORDER BY size DESC LIMIT 1",
};
const newestMark: Statement = {
  name: "pruned_mark",
  text: "SELECT through, hash, frontier, time_ms FROM interlock.pruned WHERE chain = $1 ORDER BY through DESC LIMIT 1",
};

const checkpointFrom = (row: Readonly<Record<string, unknown>>): CheckpointRow => ({
  size: row.size as number,
  note: row.note as string,
});

/** What a chain has of checkpoints and marks. Each throws StoreFailed. */
export const checkpointsOf = (chain: string) => ({
  async *checkpoints(asked: Asked, from: number, to: number): AsyncGenerator<CheckpointRow> {
    for (let next = from; ; ) {
      const rows = (await asked.query(range, [chain, next, to])).rows.map(checkpointFrom);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      next = last.size + 1;
    }
  },
  async checkpointThrough(asked: Asked, size: number): Promise<CheckpointRow | null> {
    const [row] = (await asked.query(newestThrough, [chain, size])).rows;
    return row === undefined ? null : checkpointFrom(row);
  },
  async mark(asked: Asked): Promise<PrunedMark | null> {
    const [row] = (await asked.query(newestMark, [chain])).rows;
    if (row === undefined) return null;
    const { through, hash, frontier, time_ms } = row as unknown as Omit<PrunedMark, "frontier"> & {
      readonly frontier: string;
    };
    return Object.freeze({ through, hash, frontier: readFrontier(frontier), time_ms });
  },
});
