import type Database from "better-sqlite3";
import type { StoreTx } from "../transaction-rows.ts";

type Boxes = Pick<StoreTx, "findBox" | "putBox">;

export const boxes = (db: Database.Database): Boxes => {
  const find = db
    .prepare<[string, number], Uint8Array>("SELECT box FROM boxes WHERE place = ? AND expires_ms > ?")
    .pluck();
  const put = db.prepare(
    `INSERT INTO boxes(place, expires_ms, box) VALUES(?, ?, ?)
     ON CONFLICT(place) DO UPDATE SET expires_ms = excluded.expires_ms, box = excluded.box`,
  );
  return {
    findBox: (place, now_ms) => find.get(place, now_ms) ?? null,
    putBox: (place, expires_ms, box) => void put.run(place, expires_ms, box),
  };
};

/** False in a ledger of the first release until a daemon of this one has opened it. */
export const hasBoxes = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'boxes'").get() !== undefined;
