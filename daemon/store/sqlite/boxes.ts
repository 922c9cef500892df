import type Database from "better-sqlite3";
import type { StoreTx } from "../transaction-rows.ts";

/** So many rows of a table are deleted in one transaction: callers wait for it. */
const deletedAtOnce = 1_000;

const expired = [
  ["boxes", "place", "expires_ms <= ?"],
  ["claims", "key", "state = 'executed' AND expires_ms <= ?"],
  ["spending", "counter, at_ms, transaction_id", "expires_ms <= ?"],
] as const;

type Boxes = Pick<StoreTx, "findBox" | "putBox" | "deleteExpired">;

export const boxes = (db: Database.Database): Boxes => {
  const find = db
    .prepare<[string, number], Uint8Array>("SELECT box FROM boxes WHERE place = ? AND expires_ms > ?")
    .pluck();
  const put = db.prepare(
    `INSERT INTO boxes(place, expires_ms, box) VALUES(?, ?, ?)
     ON CONFLICT(place) DO UPDATE SET expires_ms = excluded.expires_ms, box = excluded.box`,
  );
  const drops = expired.map(([table, key, isOver]) =>
    db.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT ${deletedAtOnce})`,
    ),
  );
  return {
    findBox: (place, now_ms) => find.get(place, now_ms) ?? null,
    putBox: (place, expires_ms, box) => void put.run(place, expires_ms, box),
    deleteExpired(now_ms) {
      for (const drop of drops) drop.run(now_ms);
    },
  };
};
