import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Connection } from "../../daemon/store/postgres/connection.ts";
import { ask, askUntil } from "../kit/asking.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { expectRefused } from "../kit/expect-refused.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";
import { freshDatabase } from "../kit/services/services.ts";

const rules = ruleModule(plainRule());
const placeWith = (settings = ""): Promise<Place> => makePlace(rules, `unknown: allow\n${settings}`);
const stores: readonly [string, () => Promise<string>][] = [
  ["SQLite", async () => ""],
  ["PostgreSQL", async () => `store: ${await freshDatabase()}\n`],
];

const signed = async (place: Place): Promise<{ size: number; unsigned: number }> => {
  const { stdout } = await interlock(place, ["receipts", "checkpoint", "--json"]);
  return stdout === "" ? { size: 0, unsigned: -1 } : JSON.parse(stdout);
};

const isCovered = async (place: Place): Promise<boolean> => (await signed(place)).unsigned === 0;

/** What `verify` says of the store, held to the state directory's key and newest checkpoint. */
const verified = async (place: Place) =>
  JSON.parse((await interlock(place, ["receipts", "verify", "--json"])).stdout) as {
    readonly whole: boolean;
    readonly receipts: number;
    readonly checkpoints: { readonly count: number; readonly signed_through: number | null };
  };

describe.each(stores)("on %s", (_name, store) => {
  test("what was decided is covered soon after, by a key of the daemon's own; what a stop writes, by its last checkpoint", async () => {
    const place = await placeWith(await store());
    const daemon = await startDaemon(place);
    for (let call = 0; call < 3; call++) expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
    await until("the receipts are covered", () => isCovered(place), 20_000);
    const { stdout } = await interlock(place, ["status"]);
    expect(stdout).toMatch(/^checkpoint of 4 receipts, \d+ s old; 0 receipts after it$/m);
    for (const [name, mode] of [
      ["receipts.key", 0o600],
      ["receipts.key.pub", 0o644],
      ["checkpoint", 0o600],
      ["checkpoint.tree", 0o600],
    ] as const) {
      expect(statSync(join(place.state, name)).mode & 0o777).toBe(mode);
    }
    expect((await daemon.stop()).code).toBe(0);
    expect(await verified(place)).toMatchObject({ whole: true, receipts: 5, checkpoints: { signed_through: 5 } });
  });

  test("a daemon that stops within its first second signs what it wrote", async () => {
    const place = await placeWith(await store());
    const daemon = await startDaemon(place);
    await ask(place, "plain", {});
    expect((await daemon.stop()).code).toBe(0);
    expect(await verified(place)).toMatchObject({ whole: true, receipts: 3, checkpoints: { signed_through: 3 } });
  });

  test("killed again and again under load, the next daemon signs what the last one left, and nothing twice", async () => {
    const place = await placeWith(`${await store()}checkpoint_receipts: 20\ncheckpoint_ms: 100\n`);
    let daemon = await startDaemon(place);
    const stop = askUntil(place);
    for (let kill = 0; kill < 3; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 1_200 + 400 * kill));
      await daemon.kill();
      daemon = await startDaemon(place);
    }
    await stop();
    await until("what the last ones left is covered", () => isCovered(place), 30_000);
    expect((await daemon.stop()).code).toBe(0);
    const { length } = await receiptsOf(place);
    const found = await verified(place);
    expect(found).toMatchObject({ whole: true, receipts: length });
    // On a busy machine a stop does not wait for the last one longer than it may.
    expect(length - (found.checkpoints.signed_through ?? 0)).toBeLessThanOrEqual(1);
    expect(found.checkpoints.count).toBeGreaterThan(0);
  }, 60_000);
});

/** A daemon that answered some calls and stopped: all of it is signed. */
const servedPlace = async (settings = ""): Promise<Place> => {
  const place = await placeWith(settings);
  await serveOnce(place);
  return place;
};

const serveOnce = async (place: Place): Promise<void> => {
  const daemon = await startDaemon(place);
  await ask(place, "plain", {});
  expect((await daemon.stop()).code).toBe(0);
};

test("an older copy of the ledger that was put back is not served: exit code 5", async () => {
  const place = await servedPlace();
  const ledger = join(place.state, "ledger.db");
  copyFileSync(ledger, `${ledger}.old`);
  await serveOnce(place);
  rmSync(`${ledger}-wal`, { force: true });
  renameSync(`${ledger}.old`, ledger);
  await expectRefused(place, 5, /ledger\.db ends with receipt 3 and its checkpoint is of 6; restore the newest copy/);
});

test("a database that was put back to an older state is not served: exit code 5", async () => {
  const address = await freshDatabase();
  const place = await servedPlace(`store: ${address}\n`);
  const connection = new Connection(address);
  for (const sql of [
    "ALTER TABLE interlock.receipts DISABLE TRIGGER USER",
    "DELETE FROM interlock.receipts WHERE seq = 3",
    "DELETE FROM interlock.checkpoints",
    "ALTER TABLE interlock.receipts ENABLE TRIGGER USER",
  ]) {
    await connection.query(sql);
  }
  await connection.close();
  await expectRefused(place, 5, /ends with receipt 2 and its checkpoint is of 3/);
});

test("a chain with checkpoints is not served without the key that signs them: exit code 5", async () => {
  const place = await servedPlace();
  rmSync(join(place.state, "receipts.key"));
  await expectRefused(place, 5, /receipts\.key is missing and the chain has checkpoints; restore it/);
});

test("a key that others can read signs nothing: calls are answered, the log and the status say why, and it goes on when it is closed", async () => {
  const place = await servedPlace();
  const key = join(place.state, "receipts.key");
  chmodSync(key, 0o644);
  const daemon = await startDaemon(place);
  const line = /no checkpoint can be made: private key .*receipts\.key is open to other users; chmod 600 it/;
  await until("the daemon says so", () => line.test(daemon.stderr()), 20_000);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect((await interlock(place, ["status"])).stdout).toMatch(line);
  expect(daemon.stderr().match(new RegExp(line, "g"))).toHaveLength(1);
  chmodSync(key, 0o600);
  await until("it goes on", () => daemon.stderr().includes("checkpoints are made again"), 20_000);
  expect((await interlock(place, ["status"])).stdout).not.toContain("no checkpoint can be made");
  expect((await daemon.stop()).code).toBe(0);
  expect(await verified(place)).toMatchObject({ whole: true });
});

test("a checkpoint file that cannot be written keeps no call waiting, is told, and is written once it can be", async () => {
  const place = await servedPlace();
  const beside = join(place.state, "checkpoint.new");
  mkdirSync(beside);
  const daemon = await startDaemon(place);
  await ask(place, "plain", {});
  const line = "no checkpoint can be made: the state directory's checkpoint cannot be written";
  await until("the daemon says so", () => daemon.stderr().includes(line), 20_000);
  const began = performance.now();
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect(performance.now() - began).toBeLessThan(5_000);
  rmSync(beside, { recursive: true });
  await until("it goes on", () => daemon.stderr().includes("checkpoints are made again"), 20_000);
  expect((await daemon.stop()).code).toBe(0);
  expect(existsSync(beside)).toBe(false);
  const { stdout } = await interlock(place, ["receipts", "checkpoint"]);
  expect(readFileSync(join(place.state, "checkpoint"), "utf8")).toBe(stdout);
});

test("receipts that were altered after they were signed are signed by no later checkpoint, and calls are answered", async () => {
  const place = await servedPlace();
  rmSync(join(place.state, "checkpoint.tree"));
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(join(place.state, "ledger.db"));
  db.prepare("UPDATE pages SET lines = replace(lines, substr(lines, 7, 4), 'abcd') WHERE first = 1").run();
  db.close();
  const daemon = await startDaemon(place);
  const line = /no checkpoint can be made: the receipts are not those that checkpoint 3 was made of/;
  await until("the daemon says so", () => line.test(daemon.stderr()), 20_000);
  expect(await ask(place, "plain", {})).toMatchObject({ verdict: "ALLOW" });
  expect((await daemon.stop()).code).toBe(0);
  expect((await signed(place)).size).toBe(3);
});
