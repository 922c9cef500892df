/**
 * Transactions, approvals and what they take. Writing a row costs a page for every tree that it changes, so there are few
 * indexes, and those of the path of a call hold only what is under way. Ids of transactions sort by their time, so new rows
 * lie side by side. What is over is found by walking (sweep.ts): an index by time would cost a page a row.
 */
export const transactionTables = `
CREATE TABLE transactions(
  transaction_id TEXT PRIMARY KEY, status TEXT NOT NULL, call_id TEXT,
  action TEXT NOT NULL, principal TEXT, parent_principal TEXT, effect TEXT NOT NULL, fingerprint TEXT NOT NULL,
  claim_key TEXT, claim_window_ms INTEGER NOT NULL, approval_id TEXT, resumed_from TEXT, resumed_by TEXT,
  rules TEXT NOT NULL, created_ms INTEGER NOT NULL, lease_until_ms INTEGER NOT NULL, changed_ms INTEGER NOT NULL,
  error_type TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX transactions_open ON transactions(call_id) WHERE status IN ('authorized', 'unknown');
CREATE INDEX transactions_asking ON transactions(approval_id, call_id) WHERE approval_id IS NOT NULL;

CREATE TABLE claims(
  key TEXT PRIMARY KEY, transaction_id TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL,
  lease_until_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE approvals(
  position INTEGER PRIMARY KEY, approval_id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, status TEXT NOT NULL,
  action TEXT NOT NULL, principal TEXT, parent_principal TEXT, call_id TEXT, transaction_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL, reason TEXT NOT NULL, needs TEXT NOT NULL, shapes TEXT NOT NULL, votes TEXT NOT NULL,
  rules TEXT NOT NULL, requested_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, scope TEXT, match_key TEXT,
  granted_until_ms INTEGER, changed_ms INTEGER NOT NULL, decided_by TEXT, used_by TEXT
) STRICT;
CREATE INDEX approvals_fingerprint ON approvals(fingerprint);
CREATE UNIQUE INDEX approvals_open ON approvals(fingerprint) WHERE status = 'pending';
CREATE INDEX approvals_standing ON approvals(match_key) WHERE status = 'granted' AND match_key IS NOT NULL;
CREATE INDEX approvals_live ON approvals(position) WHERE status IN ('pending', 'granted');

CREATE TABLE spending(
  counter TEXT NOT NULL, at_ms INTEGER NOT NULL, transaction_id TEXT NOT NULL, amount REAL NOT NULL,
  expires_ms INTEGER NOT NULL, PRIMARY KEY(counter, at_ms, transaction_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX spending_of ON spending(transaction_id);

CREATE TABLE boxes(place TEXT PRIMARY KEY, expires_ms INTEGER NOT NULL, box BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;
