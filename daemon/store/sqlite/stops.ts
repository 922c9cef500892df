import type Database from "better-sqlite3";
import type { StopRow, StopTx } from "../stop-rows.ts";

export const stops = (db: Database.Database): StopTx => {
  const since = db.prepare<[number], StopRow>(
    `SELECT stop_id, begun_ms, begun_by, reason, ended_ms, ended_by, end_reason FROM stops
     WHERE ended_ms IS NULL OR begun_ms > ? ORDER BY begun_ms, stop_id`,
  );
  const standing = db.prepare("SELECT 1 FROM stops WHERE ended_ms IS NULL LIMIT 1");
  const begin = db.prepare("INSERT INTO stops(stop_id, begun_ms, begun_by, reason) VALUES(?, ?, ?, ?)");
  const end = db.prepare(
    "UPDATE stops SET ended_ms = ?, ended_by = ?, end_reason = ? WHERE stop_id = ? AND ended_ms IS NULL",
  );
  return {
    stops: (since_ms) => since.all(since_ms),
    isStopped: () => standing.get() !== undefined,
    beginStop: ({ stop_id, begun_ms, begun_by, reason }) => void begin.run(stop_id, begun_ms, begun_by, reason),
    endStop: (stop_id, { at_ms, by, reason }) => end.run(at_ms, by, reason, stop_id).changes === 1,
  };
};
