import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { resendLease_ms } from "../../wire/limits.ts";
import { tamper } from "../store/sqlite/test-pages.ts";
import { maxRowsReadAtOpen, openLedger } from "./open.ts";
import { decision, question, start_ms } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";

test("a restart goes on with the same chain", () => {
  const state = temporaryState();
  const first = openAt(state);
  first.append([decision(), decision()]);
  const { chain } = first;
  const { seq, hash } = first.head();
  first.close();
  const second = openAt(state);
  expect(second.chain).toBe(chain);
  expect(second.head()).toEqual({ seq, hash });
  expect(second.append([decision()])).toEqual([{ durable: true, seq: 3 }]);
  second.close();
  expect(() => openLedger(state, { durability: "process", expectChain: "0".repeat(32), now_ms: start_ms })).toThrow(
    expect.objectContaining({ code: "ledger_other_chain" }),
  );
});

test("a start reads back a bounded number of receipts", () => {
  const state = temporaryState();
  const first = openAt(state);
  const records = Array.from({ length: maxRowsReadAtOpen + 1 }, (_, at) =>
    decision({ session: String(at % 64).padStart(32, "0"), request: `r-${at}` }),
  );
  for (let at = 0; at < records.length; at += 512) first.append(records.slice(at, at + 512));
  first.close();
  const second = openAt(state);
  expect(second.findDecision(question(records[0]!))).toBeNull();
  expect(second.findDecision(question(records[1]!))).toMatchObject({ same: true });
  second.close();
});

test("a damaged receipt before the newest keeps no daemon from starting, and is not found", () => {
  const state = temporaryState();
  const first = openAt(state);
  const records = ["a", "b", "c", "d"].map((request) => decision({ request }));
  first.append(records);
  first.close();
  const damage = new Map([
    [2, "no json"],
    [3, "null"],
  ]);
  tamper(state, (row) => ({ ...row, receipt: damage.get(row.seq) ?? row.receipt }));
  const second = openAt(state, start_ms + resendLease_ms);
  expect(records.map((record) => second.findDecision(question(record))?.same)).toEqual([
    true,
    undefined,
    undefined,
    true,
  ]);
  second.close();
});

test("pages of receipts that were overwritten are refused in one line", () => {
  const state = temporaryState();
  const first = openAt(state);
  for (let at = 0; at < 40; at++) first.append([decision()]);
  first.close();
  const bytes = readFileSync(state.ledgerPath);
  writeFileSync(state.ledgerPath, bytes.fill(0xff, bytes.length - 8 * 4096));
  expect(() => openAt(state)).toThrow(
    expect.objectContaining({
      name: "StoreRefused",
      message: expect.stringMatching(/\(SQLITE_CORRUPT[A-Z_]*\)$/),
    }),
  );
});
