import { StoreFailed, StoreRefused } from "../refused.ts";
import type { Session } from "./connection.ts";
import { migrations } from "./migrations/all.ts";
import { type Migration, migrationHash } from "./migrations/migration.ts";
import { inTransaction } from "./store.ts";

/** What the database has of our schema. */
export type SchemaState =
  | { readonly kind: "empty" }
  /** Migrations 1 to `version`, as this release knows them. `version` is the newest where nothing is left to do. */
  | { readonly kind: "known"; readonly version: number }
  /** Made by a newer release. */
  | { readonly kind: "newer"; readonly version: number }
  /** A migration that was carried out is not the one of this release. */
  | { readonly kind: "altered"; readonly id: number };

export const newestVersion: number = migrations.length;

/** Any number: whoever migrates holds this lock. */
const migrationLock = 4_715_512_001;

const create = `
CREATE SCHEMA IF NOT EXISTS interlock;
CREATE TABLE IF NOT EXISTS interlock.migrations(
  id integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_ms bigint NOT NULL
);`;

/** Throws StoreFailed. */
export const readSchema = async (session: Session): Promise<SchemaState> => {
  const [found] = (await session.query("SELECT to_regclass('interlock.migrations') IS NOT NULL AS present")).rows;
  if (found?.present !== true) return { kind: "empty" };
  const { rows } = await session.query("SELECT id, hash FROM interlock.migrations ORDER BY id");
  for (const [at, { id, hash }] of rows.entries()) {
    const known = migrations[at];
    if (known === undefined) return { kind: "newer", version: rows.length };
    if (id !== known.id || hash !== migrationHash(known)) return { kind: "altered", id: known.id };
  }
  return rows.length === 0 ? { kind: "empty" } : { kind: "known", version: rows.length };
};

/** The version of a schema that this release can go on from; 0 for none. Throws StoreRefused. */
const versionOf = (state: SchemaState): number => {
  switch (state.kind) {
    case "empty":
      return 0;
    case "known":
      return state.version;
    case "newer":
      throw new StoreRefused(
        "store_newer",
        `the database has schema ${state.version}, this release knows ${newestVersion}; use the newer release`,
      );
    case "altered":
      throw new StoreRefused(
        "store_altered",
        `migration ${state.id} of the database is not the one of this release; restore the database or use its release`,
      );
  }
};

/** Refuses a schema that is not the one of this release. Throws StoreRefused. */
export const assertCurrent = (state: SchemaState): void => {
  const version = versionOf(state);
  if (version === newestVersion) return;
  throw new StoreRefused(
    "store_unmigrated",
    `the database has schema ${version}, this release needs ${newestVersion}; stop its daemons and run interlock store migrate`,
  );
};

const locked = <T>(session: Session, work: () => Promise<T>): Promise<T> =>
  inTransaction(session, async () => {
    await session.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    return work();
  });

/**
 * Carries out what is left to do, in one transaction; the ids of what was done. Two that migrate at once: the second
 * waits and finds nothing left. Throws StoreRefused and StoreFailed; nothing is half done.
 */
export const migrateUp = (session: Session, now_ms: number): Promise<readonly Migration[]> =>
  locked(session, async () => {
    const version = versionOf(await readSchema(session));
    const left = migrations.slice(version);
    if (left.length > 0) await session.query(create);
    for (const migration of left) {
      await session.query(migration.up);
      await session.query("INSERT INTO interlock.migrations(id, name, hash, applied_ms) VALUES($1, $2, $3, $4)", [
        migration.id,
        migration.name,
        migrationHash(migration),
        now_ms,
      ]);
    }
    return left;
  });

/** What becomes of rows that lie in tables which a step down takes away. */
export type RowsOnTheWay = "keep" | "discard";

/**
 * Takes back every migration after `to`, newest first, in one transaction; 0 leaves nothing of ours. With `keep` it is
 * refused while a table that would go has rows. Throws StoreRefused and StoreFailed; nothing is half done.
 */
export const migrateDown = (session: Session, to: number, rows: RowsOnTheWay): Promise<readonly Migration[]> =>
  locked(session, async () => {
    const version = versionOf(await readSchema(session));
    const back = migrations.slice(to, version).reverse();
    if (rows === "keep") await assertNoRows(session, back);
    for (const { id, down } of back) {
      await session.query(down);
      await session.query("DELETE FROM interlock.migrations WHERE id = $1", [id]);
    }
    if (to === 0 && version > 0) await session.query("DROP TABLE interlock.migrations; DROP SCHEMA interlock;");
    return back;
  });

const assertNoRows = async (session: Session, back: readonly Migration[]): Promise<void> => {
  for (const table of back.flatMap(({ tables }) => tables)) {
    const [found] = (await session.query(`SELECT EXISTS (SELECT 1 FROM interlock.${table}) AS any`)).rows;
    if (found === undefined) throw new StoreFailed("PostgreSQL gave no answer");
    if (found.any === true) {
      throw new StoreRefused(
        "store_has_rows",
        `interlock.${table} has rows, which this would delete; nothing was changed (--discard-rows deletes them)`,
      );
    }
  }
};
