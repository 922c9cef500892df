import type Database from "better-sqlite3";
import { type CheckpointRow, type PrunedMark, readFrontier } from "../reader-rows.ts";
import { asFailure } from "./failure.ts";

/** Checkpoints of one turn, each turn a transaction of its own. */
const checkpointsPerTurn = 256;

/** What an embedded ledger has of checkpoints and marks. */
export interface EmbeddedCheckpoints {
  checkpoints(from: number, to: number): IterableIterator<CheckpointRow>;
  checkpointThrough(size: number): CheckpointRow | null;
  mark(): PrunedMark | null;
}

/** False in a ledger of an earlier release until a daemon of this one has opened it. */
const hasCheckpoints = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'checkpoints'").get() !== undefined;

const none: EmbeddedCheckpoints = Object.freeze({
  *checkpoints() {},
  checkpointThrough: () => null,
  mark: () => null,
});

/** Each throws StoreFailed. */
export const readCheckpoints = (db: Database.Database): EmbeddedCheckpoints => {
  if (!hasCheckpoints(db)) return none;
  const turn = db.prepare<[number, number], CheckpointRow>(
    `SELECT size, note FROM checkpoints WHERE size >= ? AND size <= ? ORDER BY size LIMIT ${checkpointsPerTurn}`,
  );
  const through = db.prepare<[number], CheckpointRow>(
    "SELECT size, note FROM checkpoints WHERE size <= ? ORDER BY size DESC LIMIT 1",
  );
  const mark = db.prepare<[], Omit<PrunedMark, "frontier"> & { readonly frontier: string }>(
    "SELECT through, hash, frontier, time_ms FROM pruned ORDER BY through DESC LIMIT 1",
  );
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw asFailure(error);
    }
  };
  return Object.freeze({
    *checkpoints(from: number, to: number) {
      for (let next = from; ; ) {
        const rows = reading(() => turn.all(next, to));
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined) return;
        next = last.size + 1;
      }
    },
    checkpointThrough: (size: number) => reading(() => through.get(size)) ?? null,
    mark() {
      const row = reading(() => mark.get());
      return row === undefined ? null : Object.freeze({ ...row, frontier: readFrontier(row.frontier) });
    },
  });
};
