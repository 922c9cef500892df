import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { Connection } from "./connection.ts";

const connected = (address: string): Connection => {
  const connection = new Connection(address);
  onTestFinished(() => connection.close());
  return connection;
};

const shown = async (address: string, setting: string): Promise<unknown> => {
  const [row] = (await connected(address).query(`SELECT current_setting('${setting}') AS value`)).rows;
  return row?.value;
};

test.each([
  ["off", "on"],
  ["local", "on"],
  ["remote_write", "on"],
  ["remote_apply", "remote_apply"],
])(
  "a server whose synchronous_commit is %s answers with %s: never less than its disk, and not less than it says",
  async (given, held) => {
    const address = await freshDatabase();
    const name = new URL(address).pathname.slice(1);
    await connected(address).query(`ALTER DATABASE ${name} SET synchronous_commit = ${given}`);
    expect(await shown(address, "synchronous_commit")).toBe(held);
  },
);

test("nothing waits for ever, and no schema is looked through but the server's own", async () => {
  const address = await freshDatabase();
  expect(await shown(address, "statement_timeout")).toBe("4s");
  expect(await shown(address, "lock_timeout")).toBe("2s");
  expect(await shown(address, "idle_in_transaction_session_timeout")).toBe("10s");
  expect(await shown(address, "search_path")).toBe("pg_catalog");
});

test("work on one connection does not mix, and a bigint is a number", async () => {
  const connection = connected(await freshDatabase());
  const order: string[] = [];
  const slow = connection.exclusively(async (session) => {
    await session.query("BEGIN");
    await session.query("SELECT pg_sleep(0.05)");
    order.push("slow");
    await session.query("COMMIT");
  });
  const { rows } = await connection.query(
    "SELECT 9007199254740991::bigint AS most, pg_current_xact_id_if_assigned() AS open",
  );
  order.push("quick");
  await slow;
  expect(order).toEqual(["slow", "quick"]);
  expect(rows).toEqual([{ most: 9_007_199_254_740_991, open: null }]);
});

test("a statement that fails is told by its code, without its text, and the connection goes on", async () => {
  const connection = connected(await freshDatabase());
  await expect(connection.query("SELECT $1::int", ["secret"])).rejects.toMatchObject({
    name: "StoreFailed",
    message: "PostgreSQL failed (22P02)",
  });
  expect((await connection.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});
