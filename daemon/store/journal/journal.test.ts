import { existsSync, lstatSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptHash } from "../../ledger/hash.ts";
import { temporaryState } from "../../ledger/test-state.ts";
import { openStore } from "../open-store.ts";
import type { PagedStore } from "../page.ts";
import { parseReceiptLine, receiptLine } from "../receipt-line.ts";
import { StoreFailed } from "../refused.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import { openReceiptReader } from "../sqlite/read-receipts.ts";
import type { StateDirectory } from "../state-directory.ts";
import type { NewReceipt, ReceiptStore } from "../store.ts";
import { openJournalFile } from "./file.ts";
import { journaledStore, maxUnsettled, settleAt } from "./journaled-store.ts";
import { readJournalTail } from "./tail.ts";

const firstLink = "0".repeat(64);

/** `count` linked rows from `from` on, after `prev`. */
const rows = (from: number, count: number, prev = firstLink): NewReceipt[] => {
  const made: NewReceipt[] = [];
  for (let seq = from, link = prev; seq < from + count; seq++) {
    const receipt = JSON.stringify({ prev: link, seq });
    link = receiptHash(receipt);
    made.push({ seq, receipt, hash: link, salt: "ab".repeat(16), final_salt: null, kept: null });
  }
  return made;
};

const opened = (state: StateDirectory): ReceiptStore => openStore(state, "process", null).store;

const seqsIn = (state: StateDirectory): number[] => {
  const reader = openReceiptReader(state);
  const seqs = [...reader.rows(1, Number.MAX_SAFE_INTEGER)].map(({ seq }) => seq);
  expect(reader.newestSeq()).toBe(seqs.at(-1) ?? 0);
  reader.close();
  return seqs;
};

const salts = fc.option(fc.constantFrom("0f".repeat(16), "a1".repeat(16)));

describe("a line", () => {
  test("is read as it was written, and no part of it is a line", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.json(), salts, salts, (seq, receipt, salt, final_salt) => {
        const row = { seq, receipt, hash: receiptHash(receipt), salt, final_salt };
        const line = receiptLine(row).slice(0, -1);
        expect(parseReceiptLine(line)).toEqual(row);
        for (let end = 0; end < line.length; end++) expect(parseReceiptLine(line.slice(0, end))).toBeNull();
        expect(parseReceiptLine(`${line}x`)).toBeNull();
      }),
      { numRuns: 30 },
    );
  });
});

describe("receipts in the journal", () => {
  test("are found, read beside the writer, and settled in the database", () => {
    const state = temporaryState();
    const store = opened(state);
    const all = rows(1, 5);
    store.insert(all[0]!);
    store.insertAll(all.slice(1));
    expect(lstatSync(state.journalPath).mode & 0o777).toBe(0o600);
    expect(readJournalTail(state.journalPath).rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(store.head()).toMatchObject({ seq: 5 });
    expect(store.find(3)).toMatchObject({ seq: 3 });
    expect(seqsIn(state)).toEqual([1, 2, 3, 4, 5]);
    store.settle();
    expect(lstatSync(state.journalPath).size).toBe(0);
    expect(store.find(3)).toMatchObject({ seq: 3 });
    expect(store.find(6)).toBeNull();
    store.insertAll(rows(6, 2, all.at(-1)?.hash));
    expect(seqsIn(state)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    store.close();
    expect(seqsIn(state)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("are settled before more than some hundreds wait", () => {
    const state = temporaryState();
    const store = opened(state);
    for (const row of rows(1, settleAt + 1)) store.insert(row);
    expect(readJournalTail(state.journalPath).rows).toHaveLength(1);
    store.close();
  });

  test("one with a sealed answer goes to the database with it, and what waited goes before it", () => {
    const state = temporaryState();
    const store = opened(state);
    const [first, second] = rows(1, 2);
    store.insert(first!);
    store.insert({ ...second!, kept: { expires_ms: 5, box: new Uint8Array([1]) } });
    expect(lstatSync(state.journalPath).size).toBe(0);
    expect(store.findKept(2)).toMatchObject({ expires_ms: 5 });
    store.close();
  });

  test.each([0, 1, 9])("a row that does not follow (%i after 1) is refused", (seq) => {
    const store = opened(temporaryState());
    const [first] = rows(1, 1);
    store.insert(first!);
    expect(() => store.insert({ ...first!, seq })).toThrow("the row contradicts the store");
    store.close();
  });
});

describe("after a crash", () => {
  /** A journal that was left with `text`, beside a database of `settled` rows. */
  const crashed = (settled: number, text: (all: readonly NewReceipt[]) => string): StateDirectory => {
    const state = temporaryState();
    const store = opened(state);
    const all = rows(1, 6);
    store.insertAll(all.slice(0, settled));
    store.close();
    writeFileSync(state.journalPath, text(all), { mode: 0o600 });
    return state;
  };

  test("what waited is settled before anything else", () => {
    const state = crashed(2, (all) => all.slice(2).map(receiptLine).join(""));
    const store = opened(state);
    expect(store.head()).toMatchObject({ seq: 6 });
    expect(lstatSync(state.journalPath).size).toBe(0);
    store.close();
  });

  test("what was settled and not yet taken from the journal is not stored twice", () => {
    const state = crashed(4, (all) => all.slice(2).map(receiptLine).join(""));
    expect(seqsIn(state)).toEqual([1, 2, 3, 4, 5, 6]);
    opened(state).close();
    expect(seqsIn(state)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([1, 9, 100])(
    "a last line torn %i characters before its end was never acknowledged, and is dropped",
    (cut) => {
      const state = crashed(2, (all) => `${receiptLine(all[2]!)}${receiptLine(all[3]!).slice(0, -cut)}`);
      expect(seqsIn(state)).toEqual([1, 2, 3]);
      const store = opened(state);
      expect(store.head()).toMatchObject({ seq: 3 });
      store.close();
    },
  );

  test.each<[string, (all: readonly NewReceipt[]) => string]>([
    ["a line in the middle was changed", (all) => `x${all.slice(2).map(receiptLine).join("")}`],
    ["a line is missing", (all) => [all[2]!, all[4]!].map(receiptLine).join("")],
    ["it begins later than the database ends", (all) => all.slice(3).map(receiptLine).join("")],
    ["it continues another chain", () => rows(3, 1, "f".repeat(64)).map(receiptLine).join("")],
  ])("a journal is refused where %s", (_name, text) => {
    const state = crashed(2, text);
    const before = readFileSync(state.journalPath);
    expect(() => opened(state)).toThrow(expect.objectContaining({ name: "StoreRefused", code: "ledger_corrupt" }));
    expect(readFileSync(state.journalPath)).toEqual(before);
  });

  test("a journal that is a link or open to others is refused", () => {
    const linked = crashed(1, () => "");
    truncateSync(linked.journalPath, 0);
    const other = temporaryState();
    symlinkSync(linked.journalPath, other.journalPath);
    expect(() => opened(other)).toThrow("cannot open");
    expect(existsSync(`${other.ledgerPath}-journal`)).toBe(false);
  });
});

describe("when writing fails", () => {
  test("a journal that cannot be written stores nothing", () => {
    const state = temporaryState();
    opened(state).close();
    const journal = openJournalFile(state.journalPath, false);
    journal.append("one\n");
    journal.close();
    expect(() => journal.append("two\n")).toThrow(StoreFailed);
    expect(readFileSync(state.journalPath, "utf8")).toBe("one\n");
  });

  test("a commit that is reported as failed and stands all the same is not forked", () => {
    const state = temporaryState();
    const { store: database } = openSqliteStore(state, "process", null);
    let reportsFailure = true;
    const failing: PagedStore = {
      ...database,
      insertAll: (receipts) => {
        database.insertAll(receipts);
        if (reportsFailure) throw new StoreFailed("the disk failed");
      },
    };
    const store = journaledStore(failing, { path: state.journalPath, sync: false, assertInPlace: () => undefined });
    const [first, second] = rows(1, 2);
    const kept = { expires_ms: 5, box: new Uint8Array([1]) };
    expect(() => store.insert({ ...first!, kept })).toThrow("the disk failed");
    reportsFailure = false;
    expect(store.head()).toMatchObject({ seq: 1, hash: first!.hash });
    expect(() => store.insert(first!)).toThrow("the row contradicts the store");
    store.insert(second!);
    store.close();
    expect(seqsIn(state)).toEqual([1, 2]);
  });

  test("a database that refuses is borne for a while, then nothing more is taken, and nothing is lost", () => {
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
    const all = rows(1, maxUnsettled + 1);
    for (const row of all.slice(0, -1)) store.insert(row);
    expect(() => store.insert(all.at(-1)!)).toThrow("the disk is full");
    expect(store.head()).toMatchObject({ seq: maxUnsettled });
    expect(store.find(maxUnsettled)).toMatchObject({ seq: maxUnsettled });
    refuses = false;
    store.insert(all.at(-1)!);
    store.close();
    expect(seqsIn(state)).toHaveLength(maxUnsettled + 1);
  });

  test("a settling that is reported as failed and stands all the same is not settled twice", () => {
    const state = temporaryState();
    const { store: database } = openSqliteStore(state, "process", null);
    let reportsFailure = true;
    const failing: PagedStore = {
      ...database,
      insertSettled: (settling) => {
        database.insertSettled(settling);
        if (reportsFailure) throw new StoreFailed("the disk failed");
      },
    };
    const store = journaledStore(failing, { path: state.journalPath, sync: false, assertInPlace: () => undefined });
    const all = rows(1, 3);
    store.insertAll(all.slice(0, 2));
    expect(() => store.settle()).toThrow("the disk failed");
    reportsFailure = false;
    store.insert(all[2]!);
    store.close();
    expect(seqsIn(state)).toEqual([1, 2, 3]);
  });
});
