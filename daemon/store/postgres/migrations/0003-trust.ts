import type { Migration } from "./migration.ts";

/**
 * A receipt may commit to two values, and each salt is erased alone. Checkpoints and marks of pruned receipts belong to a chain; a stop, and a token that may be shown once, to all daemons that
 * share the database. Receipts are still never changed, and deleted only behind a mark: by whoever has set
 * `interlock.pruning` for the transaction to the chain and the last number that its mark names.
 */
export const trust: Migration = Object.freeze({
  id: 3,
  name: "trust",
  tables: ["final_salts", "checkpoints", "pruned", "stops", "used_tokens"],
  up: `
CREATE TABLE interlock.final_salts(
  chain text NOT NULL, seq bigint NOT NULL, salt text NOT NULL, PRIMARY KEY (chain, seq)
);
CREATE TABLE interlock.checkpoints(
  chain text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  time_ms bigint NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (chain, size)
);
CREATE TABLE interlock.pruned(
  chain text NOT NULL,
  through bigint NOT NULL CHECK (through > 0),
  hash text NOT NULL,
  frontier text NOT NULL,
  time_ms bigint NOT NULL,
  PRIMARY KEY (chain, through)
);
CREATE TABLE interlock.stops(
  stop_id text PRIMARY KEY,
  begun_ms bigint NOT NULL,
  begun_by text NOT NULL,
  reason text NOT NULL,
  ended_ms bigint,
  ended_by text,
  end_reason text
);
CREATE INDEX stops_standing ON interlock.stops(begun_ms) WHERE ended_ms IS NULL;
CREATE TABLE interlock.used_tokens(digest text PRIMARY KEY, expires_ms bigint NOT NULL);
CREATE INDEX used_tokens_by_expiry ON interlock.used_tokens(expires_ms);
CREATE FUNCTION interlock.refuse_unmarked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT FROM interlock.pruned
    WHERE chain = OLD.chain AND through >= OLD.seq
      AND current_setting('interlock.pruning', true) = OLD.chain || ':' || through
  ) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'receipts are never changed, and deleted only behind a mark' USING ERRCODE = '23000';
END $$;
DROP TRIGGER receipts_stay ON interlock.receipts;
CREATE TRIGGER receipts_stay BEFORE UPDATE OR DELETE ON interlock.receipts
  FOR EACH ROW EXECUTE FUNCTION interlock.refuse_unmarked();
`,
  down: `
DROP TRIGGER receipts_stay ON interlock.receipts;
CREATE TRIGGER receipts_stay BEFORE UPDATE OR DELETE ON interlock.receipts
  FOR EACH ROW EXECUTE FUNCTION interlock.refuse_change();
DROP FUNCTION interlock.refuse_unmarked();
DROP TABLE interlock.used_tokens;
DROP TABLE interlock.stops;
DROP TABLE interlock.pruned;
DROP TABLE interlock.checkpoints;
DROP TABLE interlock.final_salts;
`,
});
