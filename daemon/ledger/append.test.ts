import { describe, expect, test } from "vitest";
import { StoreFailed } from "../store/refused.ts";
import { openDatabase } from "../store/sqlite/open-database.ts";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import { openReceiptReader } from "../store/sqlite/read-receipts.ts";
import { sqliteReceiptStore } from "../store/sqlite/receipt-store.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { runSteps } from "../store/steps.ts";
import type { EmbeddedStore, NewReceipt } from "../store/store.ts";
import { ledgerOn } from "./open.ts";
import { parseReceipt } from "./parse-receipt.ts";
import type { DecisionRecord, EmbeddedLedger } from "./record.ts";
import { control, decision, question, start_ms } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";
import { verifyChain } from "./test-verify-chain.ts";

const stored = (directory: StateDirectory): { requests: string[]; whole: boolean } => {
  const reader = openReceiptReader(directory);
  const rows = [...reader.rows(1, Number.MAX_SAFE_INTEGER)];
  const { whole } = verifyChain(reader.chain, rows, null, () => {});
  reader.close();
  const requests = rows
    .map(({ receipt }) => parseReceipt(receipt))
    .map((r) => (r?.kind === "decision" ? r.request : "control"));
  return { requests, whole };
};

const asked = (...requests: string[]): DecisionRecord[] => requests.map((request) => decision({ request }));

const ledgerIn = (store: EmbeddedStore): EmbeddedLedger =>
  runSteps(ledgerOn(store, new Uint8Array(32), "a test's store", start_ms)) as EmbeddedLedger;

test("one, a group and a control record stand in one chain, in order", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  expect(ledger.append([])).toEqual([]);
  expect(ledger.appendControl(control())).toEqual({ durable: true, seq: 1 });
  expect(ledger.append(asked("a"))).toEqual([{ durable: true, seq: 2 }]);
  expect(ledger.append(asked("b", "c"))).toEqual([
    { durable: true, seq: 3 },
    { durable: true, seq: 4 },
  ]);
  expect(ledger.head().seq).toBe(4);
  ledger.close();
  expect(stored(state)).toEqual({ requests: ["control", "a", "b", "c"], whole: true });
});

test("a receipt holds no argument, and a salt of its own", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const argsCanonical = '{"card":"4111-1111"}';
  ledger.append([decision({ argsCanonical }), decision({ argsCanonical })]);
  ledger.close();
  const reader = openReceiptReader(state);
  const [first, second] = [...reader.rows(1, 2)];
  reader.close();
  expect(first?.receipt).not.toContain("4111");
  expect(first?.salt).toMatch(/^[0-9a-f]{32}$/);
  expect(first?.salt).not.toBe(second?.salt);
  const commitments = [first, second].map((row) => parseReceipt(row?.receipt ?? ""));
  expect(new Set(commitments.map((r) => (r?.kind === "decision" ? r.args_commitment : ""))).size).toBe(2);
});

describe("one bad record fails alone", () => {
  test.each([
    ["first", [decision({ action: "\ud800" }), ...asked("b", "c")], ["b", "c"], 0],
    ["in the middle", [...asked("a"), decision({ reason: "\ud800" }), ...asked("c")], ["a", "c"], 1],
    ["last", [...asked("a", "b"), decision({ time_ms: 0.5 })], ["a", "b"], 2],
  ])("%s", (_name, records, expected, bad) => {
    const state = temporaryState();
    const ledger = openAt(state);
    const results = ledger.append(records);
    expect(results.map(({ durable }) => durable)).toEqual(records.map((_, index) => index !== bad));
    expect(results.flatMap((r) => (r.durable ? [r.seq] : []))).toEqual([1, 2]);
    expect(ledger.append(asked("next"))).toEqual([{ durable: true, seq: 3 }]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: [...expected, "next"], whole: true });
  });

  test("alone", () => {
    const ledger = openAt(temporaryState());
    expect(ledger.append([decision({ principal: "\ud800" })])).toEqual([
      { durable: false, error: "principal is not well-formed Unicode" },
    ]);
    expect(ledger.appendControl(control({ detail: "\ud800" }))).toEqual({
      durable: false,
      error: "detail is not well-formed Unicode",
    });
    expect(ledger.append(asked("a"))).toEqual([{ durable: true, seq: 1 }]);
    ledger.close();
  });

  test("and is not found for a resend", () => {
    const ledger = openAt(temporaryState());
    const bad = decision({ request: "bad", action: "\ud800" });
    ledger.append([...asked("good"), bad]);
    expect(ledger.findDecision(question(bad))).toBeNull();
    expect(ledger.findDecision(question(decision({ request: "good" })))).toMatchObject({ same: true });
    ledger.close();
  });
});

describe("the store fails", () => {
  const failing = (state: StateDirectory, fault: (real: EmbeddedStore) => Partial<EmbeddedStore>): EmbeddedLedger => {
    const { store } = openSqliteStore(state, "process", null);
    return ledgerIn({ ...store, ...fault(store) });
  };
  const fail = (): never => {
    throw new StoreFailed("the disk failed (SQLITE_IOERR_WRITE)");
  };

  test("a commit that fails fails the whole group, and the head stays", () => {
    const state = temporaryState();
    let broken = false;
    const ledger = failing(state, (real) => ({
      insertAll: (rows) => (broken ? fail() : real.insertAll(rows)),
      insert: (row) => (broken ? fail() : real.insert(row)),
    }));
    expect(ledger.append(asked("a"))).toEqual([{ durable: true, seq: 1 }]);
    broken = true;
    const error = "the disk failed (SQLITE_IOERR_WRITE)";
    expect(ledger.append(asked("b", "c"))).toEqual([
      { durable: false, error },
      { durable: false, error },
    ]);
    expect(ledger.head().seq).toBe(1);
    broken = false;
    expect(ledger.append(asked("b", "c"))).toEqual([
      { durable: true, seq: 2 },
      { durable: true, seq: 3 },
    ]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: ["a", "b", "c"], whole: true });
  });

  /** A store whose rows stand, and whose commit is reported as failed; its head can be read, or cannot either. */
  const losingAnswers = (state: StateDirectory, loses: { answers: boolean; head: boolean }): EmbeddedLedger => {
    const lost = <Row>(write: (row: Row) => void) => {
      return (row: Row): void => {
        write(row);
        if (loses.answers) fail();
      };
    };
    return failing(state, (real) => ({
      insert: lost(real.insert),
      insertAll: lost(real.insertAll),
      head: () => (loses.head ? fail() : real.head()),
    }));
  };

  test("what was stored although its commit was reported as failed stands, and is decided once", () => {
    const state = temporaryState();
    const loses = { answers: true, head: false };
    const ledger = losingAnswers(state, loses);
    expect(ledger.append(asked("lost answer"))).toEqual([{ durable: true, seq: 1 }]);
    expect(ledger.append(asked("lost", "with it"))).toEqual([
      { durable: true, seq: 2 },
      { durable: true, seq: 3 },
    ]);
    loses.answers = false;
    expect(ledger.append(asked("next"))).toEqual([{ durable: true, seq: 4 }]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: ["lost answer", "lost", "with it", "next"], whole: true });
  });

  test("what was stored and cannot be looked up is not tried again; the next receipt is linked to it", () => {
    const state = temporaryState();
    const loses = { answers: false, head: false };
    const ledger = losingAnswers(state, loses);
    ledger.append(asked("first"));
    loses.answers = true;
    loses.head = true;
    expect(ledger.append(asked("lost", "with it"))).toMatchObject([{ durable: false }, { durable: false }]);
    loses.answers = false;
    loses.head = false;
    expect(ledger.append(asked("next"))).toEqual([{ durable: true, seq: 4 }]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: ["first", "lost", "with it", "next"], whole: true });
  });

  test("a head that cannot be read fails the append, and nothing is thrown", () => {
    const state = temporaryState();
    let broken = false;
    const ledger = failing(state, (real) => ({
      head: () => (broken ? fail() : real.head()),
      insert: (row: NewReceipt) => (broken ? fail() : real.insert(row)),
    }));
    broken = true;
    expect(ledger.append(asked("a"))).toMatchObject([{ durable: false }]);
    expect(ledger.append(asked("a"))).toMatchObject([{ durable: false }]);
    expect(ledger.append(asked("a", "b"))).toMatchObject([{ durable: false }, { durable: false }]);
    expect(ledger.appendControl(control())).toMatchObject({ durable: false });
    broken = false;
    expect(ledger.append(asked("a"))).toEqual([{ durable: true, seq: 1 }]);
    ledger.close();
  });

  test("an error that is not the store's is reported without its message", () => {
    const ledger = failing(temporaryState(), () => ({
      insert: () => {
        throw new Error("4111-1111");
      },
    }));
    expect(ledger.append(asked("a"))).toEqual([{ durable: false, error: "the receipt could not be written" }]);
    ledger.close();
  });

  test("a second writer cannot fork the chain: it is not let in while the first one writes", () => {
    const state = temporaryState();
    const first = openAt(state);
    expect(() => openAt(state)).toThrow(expect.objectContaining({ name: "StoreRefused", code: "ledger_in_use" }));
    expect(first.append(asked("a"))).toEqual([{ durable: true, seq: 1 }]);
    first.close();
    const second = openAt(state);
    expect(second.append(asked("b"))).toEqual([{ durable: true, seq: 2 }]);
    second.close();
    expect(stored(state)).toEqual({ requests: ["a", "b"], whole: true });
  });

  test("a full disk blocks what it cannot record and is recovered from without a restart", () => {
    const state = temporaryState();
    openAt(state).close();
    const { db, identity } = openDatabase(state.ledgerPath, "write");
    const ledger = ledgerIn(sqliteReceiptStore(db, identity.chain, "process"));
    const pages = db.pragma("page_count", { simple: true }) as number;
    db.pragma(`max_page_count = ${pages + 2}`);
    const full = { durable: false, error: "the disk is full (SQLITE_FULL)" };
    const stands: string[] = [];
    let refused = 0;
    for (let index = 0; index < 40; index++) {
      const [result] = ledger.append(asked(`one-${index}`));
      if (result?.durable) stands.push(`one-${index}`);
      else {
        expect(result).toEqual(full);
        refused += 1;
      }
    }
    expect(stands.length).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    const big = "x".repeat(3_000);
    expect(ledger.append([decision({ reason: big }), decision({ reason: big })])).toEqual([full, full]);
    expect(ledger.append([decision({ keep: "y".repeat(9_000) })])).toEqual([full]);
    expect(ledger.appendControl(control({ detail: big }))).toEqual(full);
    expect(ledger.head().seq).toBe(stands.length);
    db.pragma(`max_page_count = ${pages + 1_000}`);
    expect(ledger.append(asked("room again"))).toEqual([{ durable: true, seq: stands.length + 1 }]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: [...stands, "room again"], whole: true });
  });

  test("a group in which one row does not fit stores the others", () => {
    const state = temporaryState();
    openAt(state).close();
    const { db, identity } = openDatabase(state.ledgerPath, "write");
    const ledger = ledgerIn(sqliteReceiptStore(db, identity.chain, "process"));
    db.pragma(`max_page_count = ${(db.pragma("page_count", { simple: true }) as number) + 2}`);
    const huge = decision({ request: "huge", reason: "x".repeat(40_000) });
    const results = ledger.append([...asked("a"), huge, ...asked("c")]);
    expect(results).toEqual([
      { durable: true, seq: 1 },
      { durable: false, error: "the disk is full (SQLITE_FULL)" },
      { durable: true, seq: 2 },
    ]);
    ledger.close();
    expect(stored(state)).toEqual({ requests: ["a", "c"], whole: true });
  });
});
