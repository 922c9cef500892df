import { expect, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { Connection, type Session } from "./connection.ts";
import { assertCurrent, migrateDown, migrateUp, newestVersion, readSchema } from "./migrate.ts";
import { migrations } from "./migrations/all.ts";

const connected = async (work: (session: Session, address: string) => Promise<void>): Promise<void> => {
  const address = await freshDatabase();
  const connection = new Connection(address);
  try {
    await connection.exclusively((session) => work(session, address));
  } finally {
    await connection.close();
  }
};

/** Everything in the database that is not PostgreSQL's own: tables, types (enums too), functions, indexes, triggers. */
const objects = async (session: Session): Promise<readonly string[]> => {
  const { rows } = await session.query(`
    SELECT 'schema ' || nspname AS name FROM pg_namespace
      WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'public')
    UNION ALL SELECT relkind::text || ' ' || relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname IN ('interlock', 'public')
    UNION ALL SELECT 'type ' || typname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
      WHERE nspname IN ('interlock', 'public')
    UNION ALL SELECT 'function ' || proname FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
      WHERE nspname IN ('interlock', 'public')
    UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY name`);
  return rows.map(({ name }) => String(name));
};

test("are numbered from 1 without a gap", () => {
  expect(migrations.map(({ id }) => id)).toEqual(migrations.map((_migration, at) => at + 1));
  expect(newestVersion).toBe(migrations.length);
});

test("go up, step by step down to nothing at all, enums included, and up again to the same", () =>
  connected(async (session) => {
    const before = await objects(session);
    expect(await readSchema(session)).toEqual({ kind: "empty" });
    expect(await migrateUp(session, 1)).toEqual(migrations);
    const whole = await objects(session);
    expect(whole).toContain("type transaction_status");
    expect(await migrateUp(session, 2)).toEqual([]);
    for (let to = newestVersion - 1; to >= 0; to--) {
      expect((await migrateDown(session, to, "keep")).map(({ id }) => id)).toEqual([to + 1]);
      expect(await readSchema(session)).toEqual(to === 0 ? { kind: "empty" } : { kind: "known", version: to });
    }
    expect(await objects(session)).toEqual(before);
    await migrateUp(session, 3);
    expect(await objects(session)).toEqual(whole);
    await migrateDown(session, 0, "keep");
    expect(await objects(session)).toEqual(before);
  }));

test("a step down that would delete rows is refused, and done where that is asked for", () =>
  connected(async (session) => {
    await migrateUp(session, 1);
    await session.query("INSERT INTO interlock.receipts VALUES(repeat('0', 32), 1, 1, '{}', 'h')");
    await expect(migrateDown(session, 0, "keep")).rejects.toMatchObject({
      code: "store_has_rows",
      message: expect.stringContaining("interlock.receipts has rows"),
    });
    expect(await readSchema(session)).toEqual({ kind: "known", version: newestVersion });
    await migrateDown(session, 1, "keep");
    await migrateDown(session, 0, "discard");
    expect(await readSchema(session)).toEqual({ kind: "empty" });
  }));

test("one that fails leaves nothing half done", () =>
  connected(async (session) => {
    // A table that is in the way of the second one.
    await session.query("CREATE SCHEMA interlock; CREATE TABLE interlock.boxes(mine int)");
    await expect(migrateUp(session, 1)).rejects.toMatchObject({ name: "StoreFailed" });
    expect(await readSchema(session)).toEqual({ kind: "empty" });
    expect(await objects(session)).toContain("r boxes");
    expect(await objects(session)).not.toContain("r receipts");
  }));

test("two that migrate at once both end well, and each migration is carried out once", () =>
  connected(async (_session, address) => {
    const connections = [1, 2, 3].map(() => new Connection(address));
    const done = await Promise.all(connections.map((each) => each.exclusively((session) => migrateUp(session, 1))));
    expect(done.map(({ length }) => length).sort()).toEqual([0, 0, newestVersion]);
    await Promise.all(connections.map((each) => each.close()));
  }));

test("a schema that is older is refused with what to run", () =>
  connected(async (session) => {
    await migrateUp(session, 1);
    await migrateDown(session, 1, "keep");
    const state = await readSchema(session);
    expect(() => assertCurrent(state)).toThrow(
      expect.objectContaining({
        code: "store_unmigrated",
        message: expect.stringContaining("run interlock store migrate"),
      }),
    );
  }));

test("a schema of a newer release is refused, by a start and by a migration", () =>
  connected(async (session) => {
    await migrateUp(session, 1);
    await session.query("INSERT INTO interlock.migrations VALUES(99, 'later', 'h', 1)");
    expect(await readSchema(session)).toEqual({ kind: "newer", version: newestVersion + 1 });
    await expect(migrateUp(session, 2)).rejects.toMatchObject({ code: "store_newer" });
    await expect(migrateDown(session, 0, "discard")).rejects.toMatchObject({ code: "store_newer" });
  }));

test("a migration that is not the one that was carried out is refused", () =>
  connected(async (session) => {
    await migrateUp(session, 1);
    await session.query("UPDATE interlock.migrations SET hash = 'another' WHERE id = 1");
    expect(await readSchema(session)).toEqual({ kind: "altered", id: 1 });
    await expect(migrateUp(session, 2)).rejects.toMatchObject({ code: "store_altered" });
  }));

test("receipts are never changed, deleted or truncated, and nothing cascades", () =>
  connected(async (session) => {
    await migrateUp(session, 1);
    await session.query("INSERT INTO interlock.receipts VALUES(repeat('0', 32), 1, 1, '{}', 'h')");
    for (const sql of [
      "UPDATE interlock.receipts SET hash = 'x'",
      "DELETE FROM interlock.receipts",
      "TRUNCATE interlock.receipts",
      "TRUNCATE interlock.receipts CASCADE",
    ]) {
      await expect(session.query(sql)).rejects.toMatchObject({ name: "StoreFailed" });
    }
    const { rows } = await session.query(
      "SELECT count(*) AS n FROM pg_constraint WHERE contype = 'f' AND confdeltype <> 'a'",
    );
    expect(rows).toEqual([{ n: 0 }]);
  }));
