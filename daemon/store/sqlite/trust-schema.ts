/**
 * What proves the chain to others, and what stops calls. `checkpoints` holds signed notes by the size of the tree that they
 * are of; `pruned` the marks of receipts that retention took; `stops` who stopped everything, when and why; `used_tokens`
 * digests of tokens that may be shown once. `leaves` repeats the hashes of a page's receipts, 32 bytes each: whoever signs
 * reads a thirtieth of what a page takes. Pages of an earlier release have none.
 */
export const trustTables = `
CREATE TABLE leaves(first INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;
CREATE TABLE checkpoints(size INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, note TEXT NOT NULL) STRICT;
CREATE TABLE pruned(through INTEGER PRIMARY KEY, hash TEXT NOT NULL, frontier TEXT NOT NULL, time_ms INTEGER NOT NULL) STRICT;
CREATE TABLE stops(
  stop_id TEXT PRIMARY KEY, begun_ms INTEGER NOT NULL, begun_by TEXT NOT NULL, reason TEXT NOT NULL,
  ended_ms INTEGER, ended_by TEXT, end_reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX stops_standing ON stops(begun_ms) WHERE ended_ms IS NULL;
CREATE TABLE used_tokens(digest TEXT PRIMARY KEY, expires_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
