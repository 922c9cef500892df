import type Database from "better-sqlite3";
import type { ClaimRow, StoreTx } from "../transaction-rows.ts";

type Claims = Pick<StoreTx, "findClaim" | "claim" | "changeClaim" | "releaseClaim">;

export const claims = (db: Database.Database): Claims => {
  const find = db.prepare<[string], ClaimRow>(
    "SELECT key, transaction_id, content, state, lease_until_ms, expires_ms FROM claims WHERE key = ?",
  );
  const take = db.prepare(
    `INSERT INTO claims(key, transaction_id, content, state, lease_until_ms, expires_ms) VALUES(?, ?, ?, ?, ?, ?)
     ON CONFLICT(key) DO UPDATE SET transaction_id = excluded.transaction_id, content = excluded.content,
       state = excluded.state, lease_until_ms = excluded.lease_until_ms, expires_ms = excluded.expires_ms
     WHERE claims.state = 'executed' AND claims.expires_ms <= ?`,
  );
  const change = db.prepare(
    "UPDATE claims SET state = ?, lease_until_ms = ?, expires_ms = ? WHERE key = ? AND transaction_id = ?",
  );
  const release = db.prepare("DELETE FROM claims WHERE key = ? AND transaction_id = ?");
  return {
    findClaim: (key) => find.get(key) ?? null,
    claim({ key, transaction_id, content, state, lease_until_ms, expires_ms }, now_ms) {
      const taken = take.run(key, transaction_id, content, state, lease_until_ms, expires_ms, now_ms).changes === 1;
      return taken ? null : (find.get(key) ?? null);
    },
    changeClaim: (key, transaction_id, { state, lease_until_ms, expires_ms }) =>
      change.run(state, lease_until_ms, expires_ms, key, transaction_id).changes === 1,
    releaseClaim: (key, transaction_id) => release.run(key, transaction_id).changes === 1,
  };
};
