import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { receiptHash } from "../../ledger/hash.ts";
import { temporaryState } from "../../ledger/test-state.ts";
import { spendingKey } from "../changed-rows.ts";
import { openStore } from "../open-store.ts";
import type { PagedStore } from "../page.ts";
import { StoreFailed } from "../refused.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import type { StateDirectory } from "../state-directory.ts";
import { type Steps, step } from "../steps.ts";
import type { EmbeddedStore, NewReceipt } from "../store.ts";
import { spendingRow } from "../test-transaction-rows.ts";
import type { ClaimRow, StoreTx, TransactionRow } from "../transaction-rows.ts";
import { journaledStore, maxUnsettledBytes, settleAtBytes } from "./journaled-store.ts";
import { parseRowsLine, rowsLine } from "./rows-line.ts";
import { readJournalTail } from "./tail.ts";

const opened = (state: StateDirectory): EmbeddedStore => openStore(state, "process", null).store;

const claim = (key: string, changes: Partial<ClaimRow> = {}): ClaimRow => ({
  key,
  transaction_id: `tx-${key}`,
  content: key,
  state: "held",
  lease_until_ms: 100,
  expires_ms: 100,
  ...changes,
});

const transaction = (key: string, changes: Partial<TransactionRow> = {}): TransactionRow => ({
  transaction_id: `tx-${key}`,
  status: "authorized",
  call_id: `call-${key}`,
  action: "refund",
  principal: "agent",
  parent_principal: null,
  effect: "write",
  fingerprint: "f",
  claim_key: key,
  claim_window_ms: 1000,
  approval_id: null,
  resumed_from: null,
  resumed_by: null,
  rules: "sha256:r",
  created_ms: 1,
  lease_until_ms: 100,
  changed_ms: 1,
  error_type: null,
  ...changes,
});

/** The receipt after the head. */
const next = (store: EmbeddedStore, kept: NewReceipt["kept"] = null): NewReceipt => {
  const { seq, hash: prev } = store.head();
  const receipt = JSON.stringify({ prev, seq: seq + 1 });
  return { seq: seq + 1, receipt, hash: receiptHash(receipt), salt: null, final_salt: null, kept };
};

function* authorize(tx: StoreTx, key: string, receipt: NewReceipt): Steps<ClaimRow | null> {
  const held = yield* step(tx.claim(claim(key), 1));
  if (held !== null) return held;
  yield* step(tx.insertTransaction(transaction(key)));
  yield* step(tx.putBox(`box-${key}`, 1000, new Uint8Array([1, 2, 3])));
  yield* step(tx.insertReceipts([receipt]));
  return null;
}

const journalOf = (state: StateDirectory): string => readFileSync(state.journalPath, "utf8");

/** What a killed daemon leaves. */
const killed = (state: StateDirectory, journal = journalOf(state)): StateDirectory => {
  const copy = temporaryState();
  for (const name of ["ledger.db", "ledger.db-wal", "store.key"])
    copyFileSync(join(state.path, name), join(copy.path, name));
  writeFileSync(copy.journalPath, journal, { mode: 0o600 });
  return copy;
};

const standing = (store: EmbeddedStore, key: string) => ({
  claim: store.reads.findClaim(key),
  transaction: store.reads.findTransaction(`tx-${key}`),
  box: Buffer.from((store.reads.findBox(`box-${key}`, 1) as Uint8Array | null) ?? []).toString("hex"),
});

const whole = (key: string) => ({ claim: claim(key), transaction: transaction(key), box: "010203" });
const nothing = { claim: null, transaction: null, box: "" };

describe("rows of a call in the journal", () => {
  test("stand at once, and the database has them only later", () => {
    const state = temporaryState();
    const store = opened(state);
    expect(store.transact((tx) => authorize(tx, "a", next(store)))).toBeNull();
    expect(standing(store, "a")).toEqual(whole("a"));
    expect(store.transact((tx) => authorize(tx, "a", next(store)))).toEqual(claim("a"));
    expect(journalOf(state).split("\n")).toHaveLength(3);
    store.settle();
    expect(journalOf(state)).toBe("");
    expect(standing(store, "a")).toEqual(whole("a"));
    store.close();
  });

  test("are there after a kill, once, whether the journal was settled, settled and not emptied, or neither", () => {
    const state = temporaryState();
    const store = opened(state);
    store.transact((tx) => authorize(tx, "a", next(store)));
    const journal = journalOf(state);
    const before = killed(state);
    store.settle();
    for (const left of [before, killed(state), killed(state, journal)]) {
      const again = opened(left);
      expect(standing(again, "a")).toEqual(whole("a"));
      expect(again.head().seq).toBe(1);
      expect(again.transact((tx) => authorize(tx, "a", next(again)))).toEqual(claim("a"));
      again.close();
    }
    store.close();
  });

  test("are all there or none of them, wherever a crash tore the append; nor is a receipt that tells of them", () => {
    const state = temporaryState();
    const store = opened(state);
    store.insert(next(store));
    const head = journalOf(state);
    store.transact(function* (tx) {
      const first = next(store);
      yield* step(tx.claim(claim("a"), 1));
      yield* step(tx.insertTransaction(transaction("a")));
      yield* step(tx.putBox("box-a", 1000, new Uint8Array([1, 2, 3])));
      const receipt = JSON.stringify({ prev: first.hash, seq: first.seq + 1 });
      yield* step(tx.insertReceipts([first, { ...first, seq: first.seq + 1, receipt, hash: receiptHash(receipt) }]));
    });
    const all = journalOf(state);
    const places = [head.length + 1, head.length + 40, all.length - 200, all.length - 30, all.length - 1];
    const ends = [
      ...places,
      ...all.split("\n").map((_, at, lines) => lines.slice(0, at).join("\n").length + (at > 0 ? 1 : 0)),
    ];
    for (const end of ends.filter((place) => place >= head.length && place < all.length)) {
      const again = opened(killed(state, all.slice(0, end)));
      expect([end, standing(again, "a"), again.head().seq]).toEqual([end, nothing, 1]);
      again.close();
    }
    const again = opened(killed(state, all));
    expect([standing(again, "a"), again.head().seq]).toEqual([whole("a"), 3]);
    again.close();
    store.close();
  });

  test("that were changed are refused at a start", () => {
    const state = temporaryState();
    const store = opened(state);
    store.transact((tx) => authorize(tx, "a", next(store)));
    store.insert(next(store));
    const journal = journalOf(state);
    for (const damaged of [
      journal.replace('"held"', '"hold"'),
      journal.replace("rows 1 1 ", "rows 1 2 "),
      journal.replace("rows 1 1 ", "rows 2 2 "),
      journal.replace("rows 1 1 ", "rows 1 1 1"),
      journal.split("\n").toSpliced(1, 1).join("\n"),
    ]) {
      expect(() => opened(killed(state, damaged))).toThrow("is damaged");
    }
    store.close();
  });

  test("go on being changed there: executed, released, replaced", () => {
    const state = temporaryState();
    const store = opened(state);
    store.transact((tx) => authorize(tx, "a", next(store)));
    store.transact((tx) => authorize(tx, "b", next(store)));
    store.transact(function* (tx) {
      expect(tx.openTransaction("call-a")).toEqual(transaction("a"));
      expect(yield* step(tx.changeTransaction("tx-a", ["authorized"], { status: "executed" }))).toBe(true);
      expect(yield* step(tx.changeTransaction("tx-a", ["authorized"], { status: "failed" }))).toBe(false);
      expect(yield* step(tx.changeClaim("a", "tx-a", { state: "executed", lease_until_ms: 100, expires_ms: 50 }))).toBe(
        true,
      );
      expect(yield* step(tx.changeClaim("a", "tx-b", { state: "unknown", lease_until_ms: 0, expires_ms: 0 }))).toBe(
        false,
      );
      expect(yield* step(tx.releaseClaim("b", "tx-a"))).toBe(false);
      expect(yield* step(tx.releaseClaim("b", "tx-b"))).toBe(true);
      expect(tx.openTransaction("call-a")).toBeNull();
      yield* step(tx.insertReceipts([next(store)]));
    });
    const check = (of: EmbeddedStore): void => {
      expect(of.reads.findClaim("a")).toMatchObject({ state: "executed" });
      expect(of.reads.findClaim("b")).toBeNull();
      expect(of.reads.findTransaction("tx-a")).toMatchObject({ status: "executed" });
    };
    check(store);
    const again = opened(killed(state));
    check(again);
    again.close();
    store.settle();
    check(store);
    // The window of the executed one is over.
    store.transact(function* (tx) {
      expect(yield* step(tx.claim(claim("a", { transaction_id: "tx-c" }), 51))).toBeNull();
      yield* step(tx.insertReceipts([next(store)]));
    });
    expect(store.reads.findClaim("a")).toMatchObject({ transaction_id: "tx-c" });
    store.close();
  });

  test("are moved before work that needs the database, which then sees them", () => {
    const state = temporaryState();
    const store = opened(state);
    store.transact((tx) => authorize(tx, "a", next(store)));
    let runs = 0;
    const overdue = store.transact(function* (tx) {
      runs++;
      const rows = yield* step(tx.overdueTransactions(101, 10));
      yield* step(tx.insertReceipts([next(store)]));
      return rows;
    });
    expect([runs, overdue]).toEqual([2, [transaction("a")]]);
    expect(journalOf(state)).toBe("");
    expect(store.reads.listTransactions({ status: "all", limit: 5 })).toEqual([transaction("a")]);
    store.close();
  });

  test("without a receipt, or with an answer that is kept, go to the database; work that only looks writes nothing", () => {
    const state = temporaryState();
    const store = opened(state);
    expect(store.transact((tx) => step(tx.findClaim("a")))).toBeNull();
    expect(store.head().seq).toBe(0);
    store.transact(function* (tx) {
      yield* step(tx.claim(claim("a"), 1));
    });
    store.transact((tx) => authorize(tx, "b", next(store, { expires_ms: 9, box: new Uint8Array(1) })));
    expect(journalOf(state)).toBe("");
    expect([standing(store, "a").claim, standing(store, "b")]).toEqual([claim("a"), whole("b")]);
    store.close();
  });

  test("of work that throws are none", () => {
    const state = temporaryState();
    const store = opened(state);
    expect(() =>
      store.transact(function* (tx) {
        yield* authorize(tx, "a", next(store));
        throw new Error("no");
      }),
    ).toThrow("no");
    expect([standing(store, "a"), store.head().seq, journalOf(state)]).toEqual([nothing, 0, ""]);
    store.close();
  });

  test("that were settled, which was reported as failed, are not undone by being settled again", () => {
    const state = temporaryState();
    const { store: database } = openSqliteStore(state, "process", null);
    let reportsFailure = false;
    const failing: PagedStore = {
      ...database,
      transactAfter: (settling, work) => {
        const done = database.transactAfter(settling, work);
        if (reportsFailure) throw new StoreFailed("the disk failed");
        return done;
      },
    };
    const store = journaledStore(failing, { path: state.journalPath, sync: false, assertInPlace: () => undefined });
    store.transact((tx) => authorize(tx, "a", next(store)));
    reportsFailure = true;
    const executed = { state: "executed", lease_until_ms: 100, expires_ms: 50 } as const;
    const inDatabase = (): unknown =>
      store.transact(function* (tx) {
        yield* step(tx.deleteExpired(0));
        yield* step(tx.changeClaim("a", "tx-a", executed));
        yield* step(tx.insertReceipts([next(store)]));
      });
    expect(inDatabase).toThrow("the disk failed");
    reportsFailure = false;
    store.transact((tx) => authorize(tx, "b", next(store)));
    store.close();
    const again = opened(state);
    expect(again.reads.findClaim("a")).toMatchObject(executed);
    expect([standing(again, "b"), again.head().seq]).toEqual([whole("b"), 3]);
    again.close();
  });
});

test("large rows are settled early, and only so many bytes wait while the database refuses them", () => {
  const state = temporaryState();
  const { store: database } = openSqliteStore(state, "process", null);
  let refuses = true;
  const failing: PagedStore = {
    ...database,
    insertSettled: (settling) => {
      if (refuses) throw new StoreFailed("the disk is full");
      database.insertSettled(settling);
    },
  };
  const store = journaledStore(failing, { path: state.journalPath, sync: false, assertInPlace: () => undefined });
  const box = Buffer.alloc(3 * 1024 * 1024);
  const put = (): void =>
    store.transact(function* (tx) {
      const receipt = next(store);
      yield* step(tx.insertReceipts([receipt]));
      yield* step(tx.putBox(`p${receipt.seq}`, 100, box));
    });
  // As base64 each takes 4 MiB of the journal.
  while (statSync(state.journalPath).size < maxUnsettledBytes) put();
  const { seq } = store.head();
  expect(put).toThrow("the disk is full");
  expect(store.head().seq).toBe(seq);
  refuses = false;
  put();
  expect(statSync(state.journalPath).size).toBeLessThan(settleAtBytes);
  for (let more = 0; more < 3; more++) put();
  expect(statSync(state.journalPath).size).toBeLessThan(2 * settleAtBytes);
  store.close();
  const again = opened(state);
  expect([again.head().seq, (again.reads.findBox("p1", 0) as Uint8Array).length]).toEqual([seq + 4, box.length]);
  again.close();
});

test("a line of rows is read as it was written, and no part of it is one", () => {
  const rows = {
    claims: new Map([
      ["a", claim("a")],
      ["b", null],
    ]),
    transactions: new Map([["tx-a", transaction("a", { action: 'line\n"feed"' })]]),
    boxes: new Map([["p", { expires_ms: 1, box: Buffer.from([0, 10, 255]) }]]),
    spending: new Map([[spendingKey(spendingRow()), spendingRow()]]),
  };
  const line = rowsLine({ first: 3, last: 5, rows }).slice(0, -1);
  expect(line).not.toContain("\n");
  expect(parseRowsLine(line)).toEqual({ first: 3, last: 5, rows });
  for (let end = 0; end < line.length; end++) expect(parseRowsLine(line.slice(0, end))).toBeNull();
  expect(parseRowsLine(`${line} `)).toBeNull();
});

test("a journal that is not there has no rows", () => {
  expect(readJournalTail(join(temporaryState().path, "nowhere"))).toEqual({ rows: [], changed: [], damaged: false });
});
