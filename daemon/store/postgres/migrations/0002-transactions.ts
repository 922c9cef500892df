import type { Migration } from "./migration.ts";

/**
 * What is looked for by a name off the wire has a hash index: a name may be longer than a tree's index takes. Names are
 * text without a limit, so that none is too long to be recorded.
 */
export const transactions: Migration = Object.freeze({
  id: 2,
  name: "transactions",
  tables: ["transactions", "claims", "approvals", "spending", "boxes"],
  up: `
CREATE TYPE interlock.transaction_status AS ENUM (
  'blocked', 'pending_approval', 'authorized', 'executed', 'failed', 'unknown'
);
CREATE TYPE interlock.claim_state AS ENUM ('held', 'executed', 'unknown');
CREATE TYPE interlock.approval_status AS ENUM ('pending', 'granted', 'denied', 'revoked', 'expired', 'used');
CREATE TYPE interlock.approval_scope AS ENUM ('once', 'exact', 'shape');
CREATE TYPE interlock.effect AS ENUM ('read', 'idempotent', 'write');

CREATE TABLE interlock.transactions(
  position bigint GENERATED ALWAYS AS IDENTITY,
  transaction_id text PRIMARY KEY,
  status interlock.transaction_status NOT NULL,
  call_id text,
  action text NOT NULL,
  principal text,
  parent_principal text,
  effect interlock.effect NOT NULL,
  fingerprint text NOT NULL,
  claim_key text,
  claim_window_ms bigint NOT NULL,
  approval_id text,
  resumed_from text,
  resumed_by text,
  rules text NOT NULL,
  created_ms bigint NOT NULL,
  lease_until_ms bigint NOT NULL,
  changed_ms bigint NOT NULL,
  error_type text
);
CREATE INDEX transactions_open_by_call ON interlock.transactions USING hash (call_id)
  WHERE status IN ('authorized', 'unknown');
CREATE INDEX transactions_by_lease ON interlock.transactions(lease_until_ms) WHERE status = 'authorized';
CREATE INDEX transactions_by_position ON interlock.transactions(position);
CREATE INDEX transactions_asking ON interlock.transactions(approval_id) WHERE approval_id IS NOT NULL;

CREATE TABLE interlock.claims(
  key text PRIMARY KEY,
  transaction_id text NOT NULL,
  content text NOT NULL,
  state interlock.claim_state NOT NULL,
  lease_until_ms bigint NOT NULL,
  expires_ms bigint NOT NULL
);
CREATE INDEX claims_by_expiry ON interlock.claims(expires_ms) WHERE state = 'executed';

CREATE TABLE interlock.approvals(
  position bigint GENERATED ALWAYS AS IDENTITY,
  approval_id text PRIMARY KEY,
  version bigint NOT NULL,
  status interlock.approval_status NOT NULL,
  action text NOT NULL,
  principal text,
  parent_principal text,
  call_id text,
  transaction_id text NOT NULL,
  fingerprint text NOT NULL,
  reason text NOT NULL,
  needs text NOT NULL,
  shapes text NOT NULL,
  votes text NOT NULL,
  rules text NOT NULL,
  requested_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  scope interlock.approval_scope,
  match_key text,
  granted_until_ms bigint,
  changed_ms bigint NOT NULL,
  decided_by text,
  used_by text
);
CREATE INDEX approvals_by_position ON interlock.approvals(position);
CREATE INDEX approvals_by_fingerprint ON interlock.approvals(fingerprint, position);
CREATE UNIQUE INDEX approvals_one_open ON interlock.approvals(fingerprint) WHERE status = 'pending';
CREATE INDEX approvals_standing ON interlock.approvals(match_key) WHERE status = 'granted';
CREATE INDEX approvals_live ON interlock.approvals(position) WHERE status IN ('pending', 'granted');

CREATE TABLE interlock.spending(
  counter text NOT NULL,
  transaction_id text NOT NULL,
  at_ms bigint NOT NULL,
  amount double precision NOT NULL,
  expires_ms bigint NOT NULL
);
CREATE INDEX spending_by_counter ON interlock.spending(counter, at_ms);
CREATE INDEX spending_by_transaction ON interlock.spending(transaction_id);
CREATE INDEX spending_by_expiry ON interlock.spending(expires_ms);

CREATE TABLE interlock.boxes(place text PRIMARY KEY, expires_ms bigint NOT NULL, box bytea NOT NULL);
CREATE INDEX boxes_by_expiry ON interlock.boxes(expires_ms);
`,
  down: `
DROP TABLE interlock.boxes;
DROP TABLE interlock.spending;
DROP TABLE interlock.approvals;
DROP TABLE interlock.claims;
DROP TABLE interlock.transactions;
DROP TYPE interlock.effect;
DROP TYPE interlock.approval_scope;
DROP TYPE interlock.approval_status;
DROP TYPE interlock.claim_state;
DROP TYPE interlock.transaction_status;
`,
});
