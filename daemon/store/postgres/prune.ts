import { frontierText, type PrunedMark } from "../reader-rows.ts";
import { StoreFailed } from "../refused.ts";
import type { Session, Statement } from "./connection.ts";

const putMark: Statement = {
  name: "put_mark",
  text: `INSERT INTO interlock.pruned(chain, through, hash, frontier, time_ms)
    SELECT $1, $2, $3, $4, $5 FROM interlock.receipts WHERE chain = $1 AND seq = $2 AND hash = $3
    AND EXISTS (SELECT FROM interlock.receipts WHERE chain = $1 AND seq > $2)`,
};
/** What the table's trigger lets delete, until the transaction ends: nothing but what this mark stands for. */
const allow: Statement = { name: "allow_pruning", text: "SELECT set_config('interlock.pruning', $1, true)" };
const upTo = (table: string): Statement => ({
  name: `prune_${table}`,
  text: `DELETE FROM interlock.${table} WHERE chain = $1 AND seq <= $2`,
});
const receipts = upTo("receipts");
const beside = [upTo("salts"), upTo("final_salts"), upTo("kept")];
const checkpoints: Statement = {
  name: "prune_checkpoints",
  text: "DELETE FROM interlock.checkpoints WHERE chain = $1 AND size < $2",
};
/** Places are found one by one (transactions/places.ts): their order as text is the database's own. */
const events: Statement = {
  name: "prune_events",
  text: `DELETE FROM interlock.boxes WHERE place IN (
    SELECT 'event:' || $1 || ':' || lpad(seq::text, 16, '0') FROM interlock.receipts WHERE chain = $1 AND seq <= $2)`,
};

/** Deletes the receipts that a mark stands for, and what lies beside them, within the transaction of `session`. Throws StoreFailed. */
export const prune = async (session: Session, chain: string, mark: PrunedMark): Promise<void> => {
  const { through, hash, frontier, time_ms } = mark;
  const marked = await session.query(putMark, [chain, through, hash, frontierText(frontier), time_ms]);
  if (marked.rowCount !== 1) throw new StoreFailed("the mark contradicts the store");
  await session.query(allow, [`${chain}:${through}`]);
  await session.query(events, [chain, through]);
  await session.query(receipts, [chain, through]);
  for (const statement of beside) await session.query(statement, [chain, through]);
  await session.query(checkpoints, [chain, through]);
};
