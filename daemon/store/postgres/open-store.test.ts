import { chmodSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { freshDatabase, serviceUrl } from "../../../test/kit/services/services.ts";
import { receiptRow, receiptRows } from "../test-receipt-rows.ts";
import { Connection } from "./connection.ts";
import { migrateDown, migrateUp } from "./migrate.ts";
import { openPostgresStore, type PostgresPlace } from "./open-store.ts";
import { daemonOf, freshDaemon, testFolder } from "./test-daemons.ts";

const at_ms = 1_000;

const open = (place: PostgresPlace, expectChain: string | null = null) => openPostgresStore(place, expectChain, at_ms);

const refusal = async (place: PostgresPlace, expectChain: string | null = null): Promise<unknown> => {
  try {
    await (await open(place, expectChain)).store.close();
    return null;
  } catch (error) {
    return error;
  }
};

/** A place whose store was opened, given a receipt, and closed. */
const used = async (): Promise<PostgresPlace & { readonly chain: string }> => {
  const place = await freshDaemon();
  const { store } = await open(place);
  await store.insert(receiptRow(1));
  await store.close();
  return { ...place, chain: store.chain };
};

const inDatabase = async (address: string, work: (connection: Connection) => Promise<unknown>): Promise<void> => {
  const connection = new Connection(address);
  await work(connection);
  await connection.close();
};

test("an empty database is given its schema, a key and a chain, for us alone; the next start goes on with all of them", async () => {
  const place = await used();
  for (const path of [place.deploymentKeyPath, place.directory.chainPath]) {
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  }
  expect(readFileSync(place.directory.chainPath, "utf8")).toBe(`${place.chain}\n`);
  const { store, key } = await open(place, place.chain);
  expect(await store.head()).toMatchObject({ seq: 1 });
  expect(Buffer.from(key)).toEqual(readFileSync(place.deploymentKeyPath));
  await store.insert(receiptRow(2));
  await store.close();
});

test("two daemons of one database have a chain each, and one key", async () => {
  const [address, keys] = [await freshDatabase(), testFolder()];
  const [first, second] = [await open(daemonOf(address, keys)), await open(daemonOf(address, keys))];
  expect(first.store.chain).not.toBe(second.store.chain);
  expect(first.key).toEqual(second.key);
  await Promise.all([first.store.insertAll(receiptRows(1, 3)), second.store.insertAll(receiptRows(1, 2))]);
  expect([await first.store.head(), await second.store.head()].map(({ seq }) => seq)).toEqual([3, 2]);
  await Promise.all([first.store.close(), second.store.close()]);
});

test("who opens a chain again refuses whoever had it open: an old writer stores nothing", async () => {
  const place = await freshDaemon();
  const old = await open(place);
  await old.store.insert(receiptRow(1));
  const young = await open(place);
  const taken = expect.stringContaining("another daemon has opened this chain");
  await expect(old.store.insert(receiptRow(2))).rejects.toMatchObject({ name: "StoreFailed", message: taken });
  await expect(
    old.store.transact(function* (tx) {
      yield tx.insertReceipts([receiptRow(2)]);
    }),
  ).rejects.toMatchObject({ message: taken });
  await young.store.insert(receiptRow(2));
  expect((await young.store.head()).seq).toBe(2);
  await Promise.all([old.store.close(), young.store.close()]);
});

test("a database with an older schema is refused with what to run, and left as it is", async () => {
  const place = await used();
  await inDatabase(place.address, (each) => each.exclusively((session) => migrateDown(session, 1, "keep")));
  expect(await refusal(place)).toMatchObject({
    code: "store_unmigrated",
    message: expect.stringContaining("run interlock store migrate"),
  });
  await inDatabase(place.address, (each) => each.exclusively((session) => migrateUp(session, at_ms)));
  expect(await refusal(place)).toBeNull();
});

test("another deployment key is refused, and so is a key that is lost", async () => {
  const place = await used();
  const key = readFileSync(place.deploymentKeyPath);
  writeFileSync(place.deploymentKeyPath, Buffer.alloc(32, 7));
  expect(await refusal(place)).toMatchObject({ code: "deployment_key_other" });
  rmSync(place.deploymentKeyPath);
  expect(await refusal(place)).toMatchObject({ code: "deployment_key_missing" });
  expect(existsSync(place.deploymentKeyPath)).toBe(false);
  writeFileSync(place.deploymentKeyPath, key, { mode: 0o600 });
  expect(await refusal(place)).toBeNull();
});

test("a key that others can read is refused", async () => {
  const place = await used();
  chmodSync(place.deploymentKeyPath, 0o644);
  expect(await refusal(place)).toMatchObject({ code: "store_key_unsafe" });
});

test("killed before the key or the chain's file was in place, the next start goes on with both", async () => {
  const place = await used();
  for (const path of [place.deploymentKeyPath, place.directory.chainPath]) renameSync(path, `${path}.new`);
  const { store } = await open(place);
  expect(store.chain).toBe(place.chain);
  expect((await store.head()).seq).toBe(1);
  await store.close();
  expect(existsSync(place.deploymentKeyPath)).toBe(true);
});

test("a chain that the database does not have is refused, not begun anew", async () => {
  const { directory, deploymentKeyPath } = await used();
  const elsewhere = { directory, deploymentKeyPath, address: await freshDatabase() };
  expect(await refusal(elsewhere)).toMatchObject({ code: "ledger_missing" });
});

test("a chain that is not the expected one is refused, and so is none where one is expected", async () => {
  const place = await used();
  expect(await refusal(place, "0".repeat(32))).toMatchObject({ code: "ledger_other_chain" });
  rmSync(place.directory.chainPath);
  expect(await refusal(place, place.chain)).toMatchObject({ code: "ledger_missing" });
});

test.each([
  ["other text", "x\n", 0o600, "ledger_corrupt"],
  ["a mode for others", `${"0".repeat(32)}\n`, 0o644, "ledger_unsafe"],
])("a chain's file with %s is refused", async (_name, text, mode, code) => {
  const place = await used();
  writeFileSync(place.directory.chainPath, text);
  chmodSync(place.directory.chainPath, mode);
  expect(await refusal(place)).toMatchObject({ code });
});

test("a server that is not there, a password and a database that are not: one line without the password", async () => {
  const url = new URL(await serviceUrl("postgres"));
  url.pathname = "/interlock_none";
  const place = daemonOf(url.href, testFolder());
  expect(await refusal(place)).toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(/does not have this database \(3D000\)$/),
  });
  url.password = "wrong-secret";
  const wrong = (await refusal({ ...place, address: url.href })) as Error;
  expect(wrong.message).toMatch(/refuses the user or the password \(28P01\)$/);
  expect(wrong.message).not.toContain("wrong-secret");
  url.port = "1";
  const gone = (await refusal({ ...place, address: url.href })) as Error;
  expect(gone.message).toMatch(/cannot be reached \(ECONNREFUSED\)$/);
  expect(gone.message).not.toContain("wrong-secret");
});

test("another host whose address has no sslmode is not spoken to in the clear", async () => {
  const received: Buffer[] = [];
  // Every server is asked first whether it encrypts; this one says that it does not.
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .on("data", (bytes) => {
        received.push(bytes);
        socket.write("N");
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
  const { port } = server.address() as AddressInfo;
  const address = `postgres://me:secret@127.0.0.2:${port}/app`;
  expect(await refusal(daemonOf(address, testFolder()))).toMatchObject({
    code: "store_unavailable",
    message: `cannot open postgres://me@127.0.0.2:${port}/app: PostgreSQL does not encrypt; set it up to, or add ?sslmode=disable to the address`,
  });
  expect(Buffer.concat(received)).toHaveLength(8);
  server.close();
});
