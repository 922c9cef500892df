import type Database from "better-sqlite3";
import type { StoreTx } from "../transaction-rows.ts";

/** So many rows of a table are looked at in one transaction: callers wait for it. */
export const lookedAtOnce = 1_000;

type Place = readonly (string | number)[];

/**
 * Walks a table in the order of its key, a part with each call and from the beginning after its end, and deletes what is
 * over in that part. A row that is over lies there for some rounds at most, and is judged as over meanwhile.
 */
const walker = (
  db: Database.Database,
  table: string,
  key: readonly string[],
  isOver: string,
): ((now_ms: number) => void) => {
  const columns = key.join(", ");
  const marks = key.map(() => "?").join(", ");
  const ends = db
    .prepare<(string | number)[], (string | number)[]>(
      `SELECT ${columns} FROM ${table} WHERE (${columns}) > (${marks}) ORDER BY ${columns} LIMIT 1 OFFSET ${lookedAtOnce - 1}`,
    )
    .raw();
  const drop = db.prepare(
    `DELETE FROM ${table} WHERE (${columns}) > (${marks}) AND (${columns}) <= (${marks}) AND ${isOver}`,
  );
  const dropRest = db.prepare(`DELETE FROM ${table} WHERE (${columns}) > (${marks}) AND ${isOver}`);
  const beginning: Place = key.map(() => "");
  let reached = beginning;
  return (now_ms) => {
    const end = ends.get(...reached);
    if (end === undefined) dropRest.run(...reached, now_ms);
    else drop.run(...reached, ...end, now_ms);
    reached = end ?? beginning;
  };
};

export const sweep = (db: Database.Database): Pick<StoreTx, "deleteExpired"> => {
  const walkers = [
    walker(db, "boxes", ["place"], "expires_ms <= ?"),
    walker(db, "claims", ["key"], "state = 'executed' AND expires_ms <= ?"),
    walker(db, "used_tokens", ["digest"], "expires_ms <= ?"),
    walker(db, "spending", ["counter", "at_ms", "transaction_id"], "expires_ms <= ?"),
  ];
  return {
    deleteExpired(now_ms) {
      for (const walk of walkers) walk(now_ms);
    },
  };
};
