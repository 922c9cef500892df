import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { decision } from "../../ledger/test-records.ts";
import { openAt, temporaryState } from "../../ledger/test-state.ts";
import type { StateDirectory } from "../state-directory.ts";
import { pendingStoreKey } from "../store-key.ts";
import { openSqliteStore } from "./open-store.ts";
import { tamper } from "./test-pages.ts";

const refusal = (state: StateDirectory, expectChain: string | null = null): unknown => {
  try {
    openSqliteStore(state, "process", expectChain).store.close();
    return null;
  } catch (error) {
    return error;
  }
};

/** A state directory that has a ledger with one receipt, closed. */
const used = (): StateDirectory => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([decision()]);
  ledger.close();
  return state;
};

describe("the first start", () => {
  test("creates a ledger and its key, for us alone, and the next goes on with both", () => {
    const state = used();
    expect(readdirSync(state.path).sort()).toEqual(["ledger.db", "receipts.journal", "store.key", "writer.lock"]);
    for (const name of [state.ledgerPath, state.keyPath]) expect(lstatSync(name).mode & 0o777).toBe(0o600);
    const key = readFileSync(state.keyPath);
    const ledger = openAt(state);
    expect(ledger.head().seq).toBe(1);
    ledger.close();
    expect(readFileSync(state.keyPath)).toEqual(key);
  });

  test("two directories have two chains and two keys", () => {
    const [first, second] = [temporaryState(), temporaryState()].map((state) => {
      const { store, key } = openSqliteStore(state, "process", null);
      store.close();
      return { chain: store.chain, key: Buffer.from(key).toString("hex") };
    });
    expect(first?.chain).not.toBe(second?.chain);
    expect(first?.key).not.toBe(second?.key);
  });

  test("killed before the ledger was in place, it begins again", () => {
    const state = temporaryState();
    writeFileSync(pendingStoreKey(state.keyPath), "half", { mode: 0o600 });
    writeFileSync(`${state.ledgerPath}.new`, "half", { mode: 0o600 });
    expect(refusal(state)).toBeNull();
    expect(readdirSync(state.path).sort()).toEqual(["ledger.db", "store.key"]);
  });

  test("killed before the key was in place, it goes on with both", () => {
    const state = used();
    renameSync(state.keyPath, pendingStoreKey(state.keyPath));
    const ledger = openAt(state);
    expect(ledger.head().seq).toBe(1);
    ledger.close();
    expect(readdirSync(state.path).sort()).toEqual(["ledger.db", "receipts.journal", "store.key", "writer.lock"]);
  });
});

describe("is refused, and left as it is", () => {
  const sqlite = (path: string, sql: string): void => {
    const db = new Database(path);
    db.exec(sql);
    db.close();
  };
  const cases: [string, string, (state: StateDirectory) => void][] = [
    ["a ledger that is lost", "ledger_missing", (s) => rmSync(s.ledgerPath)],
    ["a key that is lost", "store_key_missing", (s) => rmSync(s.keyPath)],
    ["another key", "ledger_other_chain", (s) => writeFileSync(s.keyPath, Buffer.alloc(32, 7))],
    ["a key of another length", "store_key_invalid", (s) => writeFileSync(s.keyPath, "short")],
    ["a key that others can read", "store_key_unsafe", (s) => chmodSync(s.keyPath, 0o644)],
    ["a ledger that others can read", "ledger_unsafe", (s) => chmodSync(s.ledgerPath, 0o644)],
    ["a file that is no database", "ledger_foreign", (s) => writeFileSync(s.ledgerPath, "no database ".repeat(400))],
    ["an empty file", "ledger_foreign", (s) => writeFileSync(s.ledgerPath, "")],
    [
      "somebody else's database",
      "ledger_foreign",
      (s) => {
        rmSync(s.ledgerPath);
        sqlite(s.ledgerPath, "CREATE TABLE receipts(seq INTEGER PRIMARY KEY)");
        chmodSync(s.ledgerPath, 0o600);
      },
    ],
    ["a schema of another release", "ledger_version", (s) => sqlite(s.ledgerPath, "PRAGMA user_version = 5")],
    [
      "a ledger without its chain id",
      "ledger_corrupt",
      (s) => sqlite(s.ledgerPath, "DELETE FROM meta WHERE name = 'chain'"),
    ],
    [
      "a trigger, which would lift each stop as it is ordered",
      "ledger_corrupt",
      (s) => sqlite(s.ledgerPath, "CREATE TRIGGER lift AFTER INSERT ON stops BEGIN DELETE FROM stops; END"),
    ],
    ["a view", "ledger_corrupt", (s) => sqlite(s.ledgerPath, "CREATE VIEW seen AS SELECT * FROM pages")],
    ["a ledger without its tables", "ledger_corrupt", (s) => sqlite(s.ledgerPath, "DROP TABLE meta")],
    [
      "a symbolic link",
      "ledger_unsafe",
      (s) => {
        renameSync(s.ledgerPath, `${s.ledgerPath}.real`);
        symlinkSync(`${s.ledgerPath}.real`, s.ledgerPath);
      },
    ],
    [
      "pages that were overwritten",
      "ledger_corrupt",
      (s) => {
        const bytes = readFileSync(s.ledgerPath);
        writeFileSync(s.ledgerPath, bytes.fill(0xff, 4096));
      },
    ],
  ];
  test.each(cases)("%s", (_name, code, damage) => {
    const state = used();
    damage(state);
    const before = readdirSync(state.path).map((name) => [name, readFileSync(`${state.path}/${name}`).toString("hex")]);
    expect(refusal(state)).toMatchObject({ name: "StoreRefused", code });
    const after = readdirSync(state.path).map((name) => [name, readFileSync(`${state.path}/${name}`).toString("hex")]);
    expect(after.filter(([name]) => !/-(wal|shm)$/.test(name ?? ""))).toEqual(before);
  });

  test("a chain that is not the expected one", () => {
    const state = used();
    const { store } = openSqliteStore(state, "process", null);
    store.close();
    expect(refusal(state, store.chain)).toBeNull();
    expect(refusal(state, "0".repeat(32))).toMatchObject({ code: "ledger_other_chain" });
  });

  const newestDamaged: [string, (state: StateDirectory) => void][] = [
    ["edited", (s) => tamper(s, (row) => ({ ...row, receipt: row.receipt.replace("ALLOW", "BLOCK") }))],
    [
      "of another chain",
      (s) => sqlite(s.ledgerPath, "UPDATE meta SET value = '00000000000000000000000000000000' WHERE name = 'chain'"),
    ],
    ["moved", (s) => tamper(s, (row) => ({ ...row, seq: 2 }))],
    ["cut short", (s) => tamper(s, (row) => ({ ...row, receipt: row.receipt.slice(0, 40) }))],
  ];
  test.each(newestDamaged)("a newest receipt that was %s, for the next would be linked to it", (_name, damage) => {
    const state = used();
    damage(state);
    expect(() => openAt(state)).toThrow(expect.objectContaining({ code: "ledger_corrupt" }));
  });
});
