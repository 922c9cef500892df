import { appendFileSync, chmodSync, copyFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { Connection } from "../../store/postgres/connection.ts";
import { openStateDirectory, type StateDirectory } from "../../store/state-directory.ts";
import { eventPlace } from "../../transactions/places.ts";
import { receiptsKey } from "../checkpoints/receipts-key.ts";
import { appendTo, signerOf } from "../checkpoints/test-signer.ts";
import { fsck } from "../commands/fsck.ts";
import { openConfiguredLedger } from "../open-configured.ts";
import { decision, start_ms } from "../test-records.ts";
import { openAt, temporaryDirectory, temporaryState } from "../test-state.ts";

const looked = async (state: string, store = "sqlite"): Promise<{ ok: boolean; findings: readonly string[] }> => {
  const { lines, exitCode } = await fsck({ state, store }, { json: true });
  const [line = ""] = [...(lines as Iterable<string>)];
  const { ok, findings } = JSON.parse(line) as { ok: boolean; findings: { problem: string; where: string }[] };
  expect(exitCode).toBe(ok ? 0 : 1);
  return { ok, findings: findings.map(({ problem, where }) => `${problem} ${where}`) };
};

/** A ledger of 30 receipts with checkpoints at 10, 20 and 30, closed. */
const signedLedger = async (): Promise<StateDirectory> => {
  const directory = temporaryState();
  const ledger = openAt(directory);
  appendTo(ledger, 10);
  const key = await receiptsKey(directory.receiptsKeyPath, false);
  const { signer, store } = signerOf(directory, { key });
  await signer.last();
  for (const _ of [20, 30]) {
    appendTo(ledger, 10);
    await signer.last();
  }
  await store.close();
  ledger.close();
  return directory;
};

const inDatabase = ({ ledgerPath }: StateDirectory, statement: string): void => {
  const db = new Database(ledgerPath);
  db.exec(statement);
  db.close();
};

test("a store with nothing wrong, beside its running daemon too", async () => {
  const directory = await signedLedger();
  expect(await looked(directory.path)).toEqual({ ok: true, findings: [] });
  const ledger = openAt(directory);
  ledger.append([decision()]);
  expect(await looked(directory.path)).toEqual({ ok: true, findings: [] });
  ledger.close();
  expect(await fsck({ state: directory.path, store: "sqlite" }, { json: false })).toMatchObject({
    exitCode: 0,
    lines: [`chain ${ledger.chain}: nothing is wrong with its store`],
  });
});

describe("is found, and named where it is", () => {
  const cases: [string, (directory: StateDirectory) => void, string[]][] = [
    ["a file that others can read", (d) => chmodSync(d.keyPath, 0o644), ["file_unsafe store.key"]],
    ["a public key that others can write", (d) => chmodSync(`${d.receiptsKeyPath}.pub`, 0o644), []],
    ["a file of another's", (d) => symlinkSync(d.keyPath, join(d.path, "other")), ["file_unsafe other"]],
    [
      "what a crash left of a file",
      (d) => {
        copyFileSync(d.checkpointPath, `${d.checkpointPath}.new`);
        chmodSync(`${d.checkpointPath}.new`, 0o600);
        utimesSync(`${d.checkpointPath}.new`, 1_000, 1_000);
      },
      ["file_left_over checkpoint.new"],
    ],
    ["a key that is gone", (d) => rmSync(d.receiptsKeyPath), ["file_missing receipts.key"]],
    ["a checkpoint file that is gone", (d) => rmSync(d.checkpointPath), ["file_missing checkpoint"]],
    [
      "a page whose line is damaged",
      (d) => inDatabase(d, "UPDATE pages SET lines = replace(lines, 'refund', 'refunds') WHERE first = 11"),
      ["row_damaged pages 11"],
    ],
    [
      "receipts that are missing",
      (d) => inDatabase(d, "UPDATE pages SET first = first + 2 WHERE first = 21"),
      ["rows_missing receipts 21 to 22", "row_damaged pages 23"],
    ],
    [
      "hashes that whoever signs would take for others",
      (d) => inDatabase(d, "UPDATE leaves SET hashes = zeroblob(length(hashes)) WHERE first = 11"),
      ["hashes_differ leaves 11"],
    ],
    [
      "a line of the journal that is damaged",
      (d) => writeFileSync(d.journalPath, "junk\n31 1 x\n", { mode: 0o600 }),
      ["journal_damaged receipts.journal"],
    ],
    [
      "a journal that is another ledger's",
      (d) => {
        const other = temporaryState();
        const ledger = openAt(other);
        appendTo(ledger, 40);
        ledger.append([decision()]);
        copyFileSync(other.journalPath, d.journalPath);
        ledger.close();
      },
      ["journal_detached receipts.journal, receipt 41"],
    ],
    [
      "a kept answer of no receipt",
      (d) => inDatabase(d, "INSERT INTO kept VALUES(99, 1, x'00')"),
      ["kept_detached kept 99"],
    ],
    [
      "a checkpoint that is none, one of another size, and one of more than there is",
      (d) =>
        inDatabase(
          d,
          `UPDATE checkpoints SET note = 'x' WHERE size = 10;
           UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 30) WHERE size = 20;
           INSERT INTO checkpoints VALUES(31, 0, 'x')`,
        ),
      [
        "checkpoint_damaged checkpoints 10",
        "checkpoint_damaged checkpoints 20",
        "checkpoint_damaged checkpoints 31",
        "checkpoint_beyond checkpoints 31",
      ],
    ],
    [
      "a checkpoint file whose row is gone",
      (d) => inDatabase(d, "DELETE FROM checkpoints WHERE size = 30"),
      ["checkpoint_differs checkpoint"],
    ],
    [
      "a mark that does not fit",
      (d) => inDatabase(d, `INSERT INTO pruned VALUES(10, '${"0".repeat(64)}', '', 0)`),
      ["row_damaged pages 1", "mark_damaged pruned 10"],
    ],
  ];
  test.each(cases)("%s", async (_name, damage, findings) => {
    const directory = await signedLedger();
    damage(directory);
    expect((await looked(directory.path)).findings).toEqual(findings);
  });

  test("a captured call of no receipt", async () => {
    const directory = await signedLedger();
    const ledger = openAt(directory);
    const place = eventPlace(ledger.chain, 900);
    ledger.change(function* (tx) {
      yield tx.putBox(place, Number.MAX_SAFE_INTEGER, new Uint8Array([1]));
    });
    ledger.close();
    expect((await looked(directory.path)).findings).toEqual([`event_detached boxes ${place}`]);
  });

  test("a database file that is damaged", async () => {
    const directory = await signedLedger();
    const db = new Database(directory.ledgerPath);
    db.unsafeMode(true);
    db.pragma("writable_schema = ON");
    // An index that SQLite finds nothing of what it should hold in.
    db.exec(
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'meta') WHERE name = 'served'",
    );
    db.close();
    expect((await looked(directory.path)).findings).toEqual(["database_damaged ledger.db"]);
  });
});

test("on PostgreSQL: rows that are missing, and what belongs to none", async () => {
  const directory = openStateDirectory(join(temporaryDirectory(), "state"));
  const store = await freshDatabase();
  const deployment_key = join(temporaryDirectory(), "deployment.key");
  const settings = { state: directory.path, store, durability: "process", deployment_key } as const;
  const ledger = await openConfiguredLedger(settings, null, start_ms);
  for (let n = 0; n < 5; n++) await ledger.append([decision()]);
  expect(await looked(directory.path, store)).toEqual({ ok: true, findings: [] });
  const connection = new Connection(store);
  await connection.query(
    `ALTER TABLE interlock.receipts DISABLE TRIGGER receipts_stay;
     DELETE FROM interlock.receipts WHERE seq IN (2, 3);
     INSERT INTO interlock.boxes(place, expires_ms, box) VALUES('${eventPlace(ledger.chain, 9)}', 1, '\\x00')`,
  );
  await connection.close();
  expect((await looked(directory.path, store)).findings).toEqual([
    "rows_missing receipts 2 to 3",
    "kept_detached salts 2",
    "kept_detached salts 3",
    `event_detached boxes ${eventPlace(ledger.chain, 9)}`,
  ]);
  appendFileSync(join(directory.path, "left"), "", { mode: 0o644 });
  expect((await looked(directory.path, store)).findings[0]).toBe("file_unsafe left");
  await ledger.close();
});
