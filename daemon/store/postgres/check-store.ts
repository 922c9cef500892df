import type { StateDirectory } from "../state-directory.ts";
import type { StoreFinding } from "../store-finding.ts";
import type { Statement } from "./connection.ts";
import { openChainToRead } from "./read-receipts.ts";

const gaps: Statement = {
  name: "fsck_gaps",
  text: `SELECT before, seq FROM (
    SELECT seq, lag(seq, 1, (SELECT coalesce(max(through), 0) FROM interlock.pruned WHERE chain = $1)) OVER (ORDER BY seq) AS before
    FROM interlock.receipts WHERE chain = $1) placed WHERE seq <> before + 1 ORDER BY seq LIMIT 100`,
};
const detached = (table: string): Statement => ({
  name: `fsck_${table}`,
  text: `SELECT seq FROM interlock.${table} t WHERE chain = $1
    AND NOT EXISTS (SELECT FROM interlock.receipts r WHERE r.chain = t.chain AND r.seq = t.seq) ORDER BY seq LIMIT 100`,
});
const events: Statement = {
  name: "fsck_events",
  text: `SELECT place FROM interlock.boxes WHERE starts_with(place, 'event:' || $1 || ':')
    AND NOT EXISTS (SELECT FROM interlock.receipts WHERE chain = $1 AND seq = split_part(place, ':', 3)::bigint)
    LIMIT 100`,
};

/** Looks at the rows of one chain on a server; its files are the server's own. Throws StoreRefused and StoreFailed. */
export async function* checkPostgresStore(address: string, directory: StateDirectory): AsyncGenerator<StoreFinding> {
  const { id, connection } = await openChainToRead(address, directory);
  try {
    for (const { before, seq } of (await connection.query(gaps, [id])).rows) {
      yield { problem: "rows_missing", where: `receipts ${Number(before) + 1} to ${Number(seq) - 1}` };
    }
    for (const table of ["salts", "kept"]) {
      for (const { seq } of (await connection.query(detached(table), [id])).rows) {
        yield { problem: "kept_detached", where: `${table} ${seq}` };
      }
    }
    for (const { place } of (await connection.query(events, [id])).rows) {
      yield { problem: "event_detached", where: `boxes ${place}` };
    }
  } finally {
    await connection.close();
  }
}
