import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/kit/services/services.ts";
import type { Settings } from "../config/settings.ts";
import { openConfiguredLedger } from "../ledger/open-configured.ts";
import { control } from "../ledger/test-records.ts";
import { temporaryDirectory } from "../ledger/test-state.ts";
import { Connection } from "../store/postgres/connection.ts";
import { newestVersion } from "../store/postgres/migrate.ts";
import { storeCheck } from "./store-check.ts";
import { storeMigrate } from "./store-migrate.ts";

type Chosen = Pick<Settings, "state" | "store" | "durability" | "deployment_key">;

const up = { down: null, rows: "keep", now_ms: 1 } as const;

const chosen = (store: string): Chosen => {
  const home = temporaryDirectory();
  return { state: join(home, "state"), store, durability: "process", deployment_key: join(home, "deployment.key") };
};

/** A store with one receipt. */
const used = async (settings: Chosen): Promise<string> => {
  const ledger = await openConfiguredLedger(settings, null, 1);
  await ledger.appendControl(control());
  await ledger.close();
  return ledger.chain;
};

const sql = async (address: string, text: string): Promise<void> => {
  const connection = new Connection(address);
  await connection.query(text);
  await connection.close();
};

test("an empty database is brought up and down again, and tells what was done; its key is made", async () => {
  const settings = chosen(await freshDatabase());
  expect(await storeMigrate(settings, up)).toMatchObject({
    exitCode: 0,
    lines: [
      "done: 1 receipts",
      "done: 2 transactions",
      "done: 3 trust",
      "done: 4 members",
      "done: 5 documents",
      expect.stringMatching(/^schema 5 of 5 in postgres:/),
    ],
    json: { ok: true, version: newestVersion },
  });
  expect(existsSync(settings.deployment_key)).toBe(true);
  expect((await storeMigrate(settings, up)).lines[0]).toBe("nothing to do");
  expect((await storeMigrate(settings, { ...up, down: 1 })).lines.slice(0, 4)).toEqual([
    "taken back: 5 documents",
    "taken back: 4 members",
    "taken back: 3 trust",
    "taken back: 2 transactions",
  ]);
  await expect(storeCheck(settings)).rejects.toMatchObject({ code: "store_unmigrated" });
  await expect(storeMigrate(settings, { ...up, down: 0 })).rejects.toMatchObject({ code: "store_has_rows" });
  expect(await storeMigrate(settings, { ...up, down: 0, rows: "discard" })).toMatchObject({ exitCode: 0 });
});

test.each([-1, 1.5, Number.NaN, newestVersion + 1])("down to %s is refused", async (down) => {
  expect(await storeMigrate(chosen("postgres://127.0.0.1:1/none"), { ...up, down })).toMatchObject({ exitCode: 2 });
});

test("sqlite has nothing to migrate", async () => {
  expect(await storeMigrate(chosen("sqlite"), up)).toMatchObject({ exitCode: 0 });
});

for (const kind of ["sqlite", "postgres"] as const) {
  let settings: Chosen;
  beforeEach(async () => {
    settings = chosen(kind === "sqlite" ? kind : await freshDatabase());
  });

  test(`a whole store on ${kind} is told with its schema, key and chains, and no password`, async () => {
    const chain = await used(settings);
    const result = await storeCheck(settings);
    expect(result.exitCode).toBe(0);
    expect(result.lines).toContain(`chain ${chain}: 1 receipts, the newest is whole`);
    expect(result.json).toMatchObject({ ok: true, chains: [{ chain, seq: 1, whole: true }], findings: [] });
    if (kind === "postgres") expect(JSON.stringify(result)).not.toContain(new URL(settings.store).password);
  });

  test(`another key on ${kind}, or none, is found`, async () => {
    await used(settings);
    const path = kind === "sqlite" ? join(settings.state, "store.key") : settings.deployment_key;
    writeFileSync(path, Buffer.alloc(32, 7));
    expect(await storeCheck(settings)).toMatchObject({
      exitCode: 1,
      json: { findings: [`key ${path} is not the one of this store`] },
    });
    rmSync(path);
    expect(await storeCheck(settings)).toMatchObject({ exitCode: 1, json: { findings: [`key ${path} is missing`] } });
  });
}

test("a newest receipt that was edited past the trigger is found", async () => {
  const settings = chosen(await freshDatabase());
  const chain = await used(settings);
  await sql(
    settings.store,
    `ALTER TABLE interlock.receipts DISABLE TRIGGER receipts_stay;
     UPDATE interlock.receipts SET receipt = replace(receipt, 'started', 'stopped')`,
  );
  expect(await storeCheck(settings)).toMatchObject({
    exitCode: 1,
    json: { ok: false, findings: [`chain ${chain}: receipt 1, its newest, is damaged`] },
  });
});
