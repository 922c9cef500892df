import type Database from "better-sqlite3";
import type { StoreTx } from "../transaction-rows.ts";

export const usedTokens = (db: Database.Database): Pick<StoreTx, "useToken"> => {
  const note = db.prepare("INSERT INTO used_tokens(digest, expires_ms) VALUES(?, ?) ON CONFLICT(digest) DO NOTHING");
  return { useToken: (digest, expires_ms) => note.run(digest, expires_ms).changes === 1 };
};
