import { describe, expect, test } from "vitest";
import { receiptHash } from "../../ledger/hash.ts";
import { temporaryState } from "../../ledger/test-state.ts";
import { noChangedRows } from "../changed-rows.ts";
import { pagesOf } from "../page.ts";
import { StoreFailed } from "../refused.ts";
import type { EmbeddedStore, NewReceipt } from "../store.ts";
import { openSqliteStore } from "./open-store.ts";
import { tamper } from "./test-pages.ts";

const row = (seq: number, changes: Partial<NewReceipt> = {}): NewReceipt => ({
  seq,
  receipt: `{"seq":${seq}}`,
  hash: receiptHash(`{"seq":${seq}}`),
  salt: null,
  final_salt: null,
  kept: null,
  ...changes,
});

const opened = (durability: "process" | "power" = "process"): EmbeddedStore =>
  openSqliteStore(temporaryState(), durability, null).store;

describe.each(["process", "power"] as const)("durability %s", (durability) => {
  test("what was stored is found, and the head is the newest", () => {
    const store = opened(durability);
    expect(store.head()).toEqual({ seq: 0, hash: "0".repeat(64) });
    store.insert(row(1));
    store.insertAll([
      row(2, { salt: "aa".repeat(16) }),
      row(3, { kept: { expires_ms: 5, box: new Uint8Array([1, 2]) } }),
    ]);
    expect(store.head()).toMatchObject({ seq: 3 });
    expect(store.find(2)).toMatchObject({ seq: 2, salt: "aa".repeat(16) });
    expect(store.find(4)).toBeNull();
    expect([...store.newest(2)].map(({ seq }) => seq)).toEqual([3, 2]);
    expect(Buffer.from(store.findKept(3)?.box ?? [])).toEqual(Buffer.from([1, 2]));
    expect(store.keptBytes()).toBe(2);
    store.close();
  });
});

test("all of a group or none of it, and the next group goes on", () => {
  const store = opened();
  store.insert(row(1));
  expect(() => store.insertAll([row(2), row(3), row(1)])).toThrow(StoreFailed);
  expect(store.head().seq).toBe(1);
  store.insertAll([row(2), row(3)]);
  expect(store.head().seq).toBe(3);
  store.close();
});

test("a place is given once: alone, with a kept answer, and in a group", () => {
  const store = opened();
  store.insert(row(1));
  const kept = { expires_ms: 5, box: new Uint8Array([1]) };
  for (const again of [
    () => store.insert(row(1)),
    () => store.insert(row(1, { kept })),
    () => store.insertAll([row(1)]),
  ]) {
    expect(again).toThrow("the row contradicts the store");
  }
  expect(store.findKept(1)).toBeNull();
  store.close();
});

test("a failure tells SQLite's code and no SQL, value or path", () => {
  const state = temporaryState();
  const { store } = openSqliteStore(state, "process", null);
  const kept = { expires_ms: 5, box: new Uint8Array([1]) };
  store.insert(row(1, { kept }));
  tamper(state, () => null);
  expect(() => store.insert(row(1, { kept }))).toThrow(
    new StoreFailed("the row contradicts the store (SQLITE_CONSTRAINT_PRIMARYKEY)"),
  );
  store.close();
});

test("pages continue what is stored: none is left out, none is given twice", () => {
  const { store } = openSqliteStore(temporaryState(), "process", null);
  store.insertSettled({ pages: pagesOf([row(1), row(2)]), rows: noChangedRows });
  for (const wrong of [pagesOf([row(2)]), pagesOf([row(4)])]) {
    expect(() => store.insertSettled({ pages: wrong, rows: noChangedRows })).toThrow("the row contradicts the store");
  }
  const many = Array.from({ length: 200 }, (_, at) => row(3 + at));
  store.insertSettled({ pages: pagesOf(many), rows: noChangedRows });
  expect(store.head().seq).toBe(202);
  expect([1, 2, 3, 66, 67, 130, 202].map((seq) => store.find(seq)?.seq)).toEqual([1, 2, 3, 66, 67, 130, 202]);
  expect([...store.newest(3)].map(({ seq }) => seq)).toEqual([202, 201, 200]);
  store.close();
});

test("kept answers are deleted when they expired, or expire later than any made now could", () => {
  const store = opened();
  const kept = (expires_ms: number): Pick<NewReceipt, "kept"> => ({ kept: { expires_ms, box: new Uint8Array(3) } });
  store.insertAll([row(1, kept(100)), row(2, kept(101)), row(3, kept(160)), row(4, kept(161))]);
  expect(store.deleteKept(100, 60)).toBe(2);
  expect([1, 2, 3, 4].filter((seq) => store.findKept(seq) !== null)).toEqual([2, 3]);
  expect(store.keptBytes()).toBe(6);
  store.close();
});

test("the version of a rule set that was served last is remembered over a restart", () => {
  const state = temporaryState();
  const { store } = openSqliteStore(state, "process", null);
  expect(store.served("refunds")).toBeNull();
  store.recordServed("refunds", { version: 3, digest: "sha256:aa" });
  store.recordServed("refunds", { version: 4, digest: "sha256:bb" });
  store.close();
  const again = openSqliteStore(state, "process", null).store;
  expect(again.served("refunds")).toEqual({ version: 4, digest: "sha256:bb" });
  expect(again.served("other")).toBeNull();
  again.close();
});
