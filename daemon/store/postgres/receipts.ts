import { eventPlace } from "../../transactions/places.ts";
import { StoreFailed } from "../refused.ts";
import type { Head, KeptRow, NewReceipt, ReceiptRow, SaltName, ServedVersion } from "../store.ts";
import type { Answer, Session, Statement } from "./connection.ts";
import { fromText, toText } from "./text.ts";

export const chainTaken =
  "another daemon has opened this chain; stop one of the two and give each a state directory of its own";

/** The chain that one daemon writes, as it was last opened. */
export interface Writer {
  readonly chain: string;
  /** Rises with every opening: what a writer that was opened before still sends is refused. */
  readonly epoch: number;
}

/**
 * Receipts, salts and kept answers in one statement, all or none. It holds the chain's row while it runs: whoever opens
 * the chain meanwhile waits for it, and what comes after that opening finds another epoch and stores nothing.
 */
const insert: Statement = {
  name: "insert_receipts",
  text: `
WITH fence AS (SELECT 1 FROM interlock.chains WHERE chain = $1 AND epoch = $2 FOR SHARE),
given AS (SELECT * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bytea[])
  AS given(seq, receipt, hash, salt, final_salt, expires_ms, box)),
stored AS (INSERT INTO interlock.receipts(chain, seq, epoch, receipt, hash)
  SELECT $1, seq, $2, receipt, hash FROM fence, given
  WHERE $10 = (SELECT coalesce(max(seq), 0) + 1 FROM interlock.receipts WHERE chain = $1)
  RETURNING seq),
salted AS (INSERT INTO interlock.salts(chain, seq, salt)
  SELECT $1, seq, salt FROM given JOIN stored USING (seq) WHERE salt IS NOT NULL),
final_salted AS (INSERT INTO interlock.final_salts(chain, seq, salt)
  SELECT $1, seq, final_salt FROM given JOIN stored USING (seq) WHERE final_salt IS NOT NULL),
boxed AS (INSERT INTO interlock.kept(chain, seq, expires_ms, box)
  SELECT $1, seq, expires_ms, box FROM given JOIN stored USING (seq) WHERE box IS NOT NULL)
SELECT count(*) AS stored FROM stored`,
};
const epochOf: Statement = { name: "epoch_of", text: "SELECT epoch FROM interlock.chains WHERE chain = $1" };

/** Throws StoreFailed: another opening of the chain, a row that does not continue it, or the server's own failure. */
export const insertReceipts = async (
  session: Session,
  { chain, epoch }: Writer,
  rows: readonly NewReceipt[],
): Promise<void> => {
  const [first] = rows;
  if (first === undefined) return;
  if (rows.some(({ seq }, at) => seq !== first.seq + at)) throw new StoreFailed("the row contradicts the store");
  const answer = await session.query(insert, [
    chain,
    epoch,
    rows.map(({ seq }) => seq),
    rows.map(({ receipt }) => toText(receipt)),
    rows.map(({ hash }) => hash),
    rows.map(({ salt }) => salt),
    rows.map(({ final_salt }) => final_salt),
    rows.map(({ kept }) => kept?.expires_ms ?? null),
    rows.map(({ kept }) => (kept === null ? null : Buffer.from(kept.box))),
    first.seq,
  ]);
  if (answer.rows[0]?.stored === rows.length) return;
  const [standing] = (await session.query(epochOf, [chain])).rows;
  throw new StoreFailed(standing?.epoch === epoch ? "the row contradicts the store" : chainTaken);
};

const columns = "r.seq, r.receipt, r.hash, s.salt, f.salt AS final_salt";
const from =
  "interlock.receipts r LEFT JOIN interlock.salts s USING (chain, seq) LEFT JOIN interlock.final_salts f USING (chain, seq)";
const head: Statement = {
  name: "head",
  text: "SELECT seq, hash FROM interlock.receipts WHERE chain = $1 ORDER BY seq DESC LIMIT 1",
};
const one: Statement = { name: "receipt", text: `SELECT ${columns} FROM ${from} WHERE r.chain = $1 AND r.seq = $2` };
const newest: Statement = {
  name: "newest",
  text: `SELECT ${columns} FROM ${from} WHERE r.chain = $1 ORDER BY r.seq DESC LIMIT $2`,
};
const range: Statement = {
  name: "range",
  text: `SELECT ${columns} FROM ${from} WHERE r.chain = $1 AND r.seq BETWEEN $2 AND $3 ORDER BY r.seq LIMIT $4`,
};
const kept: Statement = {
  name: "kept",
  text: "SELECT expires_ms, box FROM interlock.kept WHERE chain = $1 AND seq = $2",
};
const keptBytes: Statement = {
  name: "kept_bytes",
  text: "SELECT coalesce(sum(length(box)), 0)::float8 AS bytes FROM interlock.kept WHERE chain = $1",
};
const deleteKept: Statement = {
  name: "delete_kept",
  text: "DELETE FROM interlock.kept WHERE chain = $1 AND (expires_ms <= $2 OR expires_ms > $3)",
};
const served: Statement = {
  name: "served",
  text: "SELECT version, digest FROM interlock.served WHERE chain = $1 AND rule_set = $2",
};
const putServed: Statement = {
  name: "put_served",
  text: `INSERT INTO interlock.served(chain, rule_set, version, digest) VALUES($1, $2, $3, $4)
    ON CONFLICT (chain, rule_set) DO UPDATE SET version = excluded.version, digest = excluded.digest`,
};
const eraseSalt: Readonly<Record<SaltName, Statement>> = Object.freeze({
  salt: { name: "erase_salt", text: "DELETE FROM interlock.salts WHERE chain = $1 AND seq = $2" },
  final_salt: { name: "erase_final_salt", text: "DELETE FROM interlock.final_salts WHERE chain = $1 AND seq = $2" },
});
const eraseEvent: Statement = {
  name: "erase_event",
  text: "DELETE FROM interlock.boxes WHERE place = $1",
};

const beforeFirst: Head = Object.freeze({ seq: 0, hash: "0".repeat(64) });

/** What sends one statement: a connection, or a session of it. */
export interface Asked {
  query(statement: Statement, values: readonly unknown[]): Promise<Answer>;
}

const receiptFrom = (row: Readonly<Record<string, unknown>>): ReceiptRow => ({
  seq: row.seq as number,
  receipt: fromText(row.receipt as string),
  hash: row.hash as string,
  salt: row.salt as string | null,
  final_salt: row.final_salt as string | null,
});

/** The questions about one chain. Each throws StoreFailed. */
export const chainOf = (chain: string) => ({
  async head(asked: Asked): Promise<Head> {
    const [row] = (await asked.query(head, [chain])).rows;
    return row === undefined ? beforeFirst : { seq: row.seq as number, hash: row.hash as string };
  },
  async find(asked: Asked, seq: number): Promise<ReceiptRow | null> {
    const [row] = (await asked.query(one, [chain, seq])).rows;
    return row === undefined ? null : receiptFrom(row);
  },
  async newest(asked: Asked, count: number): Promise<IterableIterator<ReceiptRow>> {
    return (await asked.query(newest, [chain, count])).rows.map(receiptFrom).values();
  },
  /** In order, from one to the other inclusive, `limit` at most. */
  async range(asked: Asked, first: number, last: number, limit: number): Promise<readonly ReceiptRow[]> {
    return (await asked.query(range, [chain, first, last, limit])).rows.map(receiptFrom);
  },
  async findKept(asked: Asked, seq: number): Promise<KeptRow | null> {
    const [row] = (await asked.query(kept, [chain, seq])).rows;
    return row === undefined ? null : { expires_ms: row.expires_ms as number, box: new Uint8Array(row.box as Buffer) };
  },
  async keptBytes(asked: Asked): Promise<number> {
    return (await asked.query(keptBytes, [chain])).rows[0]?.bytes as number;
  },
  async deleteKept(asked: Asked, now_ms: number, longest_ms: number): Promise<number> {
    return (await asked.query(deleteKept, [chain, now_ms, now_ms + longest_ms])).rowCount;
  },
  async served(asked: Asked, ruleSet: string): Promise<ServedVersion | null> {
    const [row] = (await asked.query(served, [chain, toText(ruleSet)])).rows;
    return row === undefined ? null : { version: row.version as number, digest: row.digest as string };
  },
  async recordServed(asked: Asked, ruleSet: string, { version, digest }: ServedVersion): Promise<void> {
    await asked.query(putServed, [chain, toText(ruleSet), version, digest]);
  },
  /** True where there was one; with the salt of what was put goes the call, where it was captured. */
  async eraseSalts(asked: Asked, seq: number, names: readonly SaltName[]): Promise<boolean> {
    let erased = 0;
    for (const name of names) erased += (await asked.query(eraseSalt[name], [chain, seq])).rowCount;
    if (names.includes("salt")) erased += (await asked.query(eraseEvent, [eventPlace(chain, seq)])).rowCount;
    return erased > 0;
  },
});
