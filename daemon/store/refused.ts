/** Why the store cannot be opened. Each is one line for the operator, and the daemon's exit code 5. */
export const storeRefusals = Object.freeze({
  state_directory_unsafe: "the state directory is not a directory of ours alone",
  state_directory_unwritable: "the state directory cannot be created or written",
  lock_unavailable: "the lock file cannot be used",
  store_key_unsafe: "store.key is not a file of ours alone",
  store_key_invalid: "store.key is not 32 bytes",
  store_key_missing: "ledger.db exists and its store.key does not",
  ledger_missing: "a key or a chain's file names a ledger that is not there",
  ledger_unsafe: "ledger.db, or the chain's file, is not a file of ours alone",
  ledger_foreign: "ledger.db is not a ledger",
  ledger_version: "ledger.db has a schema that this release does not read",
  ledger_other_chain: "the ledger belongs to another key, or is not the expected chain",
  ledger_in_use: "another writer has the ledger open",
  ledger_corrupt: "the ledger, or the chain's file, is damaged",
  ledger_truncated: "the ledger is shorter than its newest checkpoint: it was cut off, or an older copy was restored",
  ledger_forked: "the ledger's receipts are not those that its newest checkpoint is of",
  checkpoint_unusable: "the state directory's checkpoint is not one, or not a file of ours alone",
  receipts_key_missing: "the chain has checkpoints and the receipts.key that signs them is not there",
  receipts_key_other: "receipts.key is neither what signed the chain's checkpoints nor what they were handed over to",
  deployment_key_missing: "the database has a deployment key and its file is not here",
  deployment_key_other: "the deployment key is not the one that the database was first used with",
  store_unmigrated: "the database has an older schema than this release needs",
  store_newer: "the database has a newer schema than this release knows",
  store_altered: "a migration of the database is not the one of this release",
  store_has_rows: "a step down would delete rows",
  store_unavailable: "the store cannot be read or written",
} satisfies Record<string, string>);

export type StoreRefusal = keyof typeof storeRefusals;

/** The store was refused before it was used. `message` is one line: what, where, what to do. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
  readonly code: StoreRefusal;

  constructor(code: StoreRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** A write or read failed while the store was in use. `message` is one line without a path or a value. */
export class StoreFailed extends Error {
  override readonly name = "StoreFailed";
}
