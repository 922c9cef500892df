import type { Migration } from "./migration.ts";

/**
 * A chain for each daemon. `epoch` rises with every opening: a writer that was opened before is refused (the fence).
 * Nothing hangs on anything by a cascade: a row that goes takes no other with it.
 */
export const receipts: Migration = Object.freeze({
  id: 1,
  name: "receipts",
  tables: ["deployment", "chains", "receipts", "salts", "kept", "served"],
  up: `
CREATE TABLE interlock.deployment(
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_digest text NOT NULL,
  created_ms bigint NOT NULL
);
CREATE TABLE interlock.chains(
  chain text PRIMARY KEY CHECK (chain ~ '^[0-9a-f]{32}$'),
  epoch bigint NOT NULL,
  writer text NOT NULL,
  created_ms bigint NOT NULL,
  opened_ms bigint NOT NULL
);
CREATE TABLE interlock.receipts(
  chain text NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  epoch bigint NOT NULL,
  receipt text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (chain, seq)
);
CREATE TABLE interlock.salts(chain text NOT NULL, seq bigint NOT NULL, salt text NOT NULL, PRIMARY KEY (chain, seq));
CREATE TABLE interlock.kept(
  chain text NOT NULL,
  seq bigint NOT NULL,
  expires_ms bigint NOT NULL,
  box bytea NOT NULL,
  PRIMARY KEY (chain, seq)
);
CREATE TABLE interlock.served(
  chain text NOT NULL,
  rule_set text NOT NULL,
  version bigint NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (chain, rule_set)
);
CREATE FUNCTION interlock.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'receipts are never changed or deleted' USING ERRCODE = '23000';
END $$;
CREATE TRIGGER receipts_stay BEFORE UPDATE OR DELETE ON interlock.receipts
  FOR EACH ROW EXECUTE FUNCTION interlock.refuse_change();
CREATE TRIGGER receipts_are_not_truncated BEFORE TRUNCATE ON interlock.receipts
  FOR EACH STATEMENT EXECUTE FUNCTION interlock.refuse_change();
`,
  down: `
DROP TABLE interlock.served;
DROP TABLE interlock.kept;
DROP TABLE interlock.salts;
DROP TABLE interlock.receipts;
DROP TABLE interlock.chains;
DROP TABLE interlock.deployment;
DROP FUNCTION interlock.refuse_change();
`,
});
