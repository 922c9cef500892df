import { describe, expect, test } from "vitest";
import { maxKeptAnswersPerSession, resendLease_ms } from "../../wire/limits.ts";
import { eraseSalts } from "../store/sqlite/erase-salts.ts";
import { openDatabase } from "../store/sqlite/open-database.ts";
import { tamper } from "../store/sqlite/test-pages.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { maxKeptAnswerLength } from "./kept-answers.ts";
import type { DecisionRecord, ResendQuestion } from "./record.ts";
import { decision, question, sessionOf, start_ms } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";

const rewrite = (changes: Partial<DecisionRecord> = {}): DecisionRecord =>
  decision({ verdict: "MODIFY", code: "rewritten", keep: '{"id":"r-1","modified_args":{}}', ...changes });

test("a decision is found again as its receipt tells it", () => {
  const ledger = openAt(temporaryState());
  const blocked = decision({ verdict: "BLOCK", code: "rule_blocked", reason: "no", attributed_to: "order_id" });
  ledger.append([blocked]);
  expect(ledger.findDecision(question(blocked))).toEqual({
    same: true,
    kept: {
      seq: 1,
      verdict: "BLOCK",
      code: "rule_blocked",
      reason: "no",
      policy_id: "refunds.owner",
      attributed_to: "order_id",
      transaction_id: null,
      keep: null,
    },
  });
  ledger.close();
});

test.each([1, 3])("an answer that was kept is found again, in a group of %i, before and after a restart", (count) => {
  const state = temporaryState();
  const records = Array.from({ length: count }, (_, index) =>
    rewrite({ request: `r-${index}`, keep: `answer ${index}` }),
  );
  const before = openAt(state);
  before.append(records);
  const found = records.map((record) => before.findDecision(question(record)));
  expect(found.map((f) => f?.same && f.kept.keep)).toEqual(records.map(({ keep }) => keep));
  before.close();
  const after = openAt(state);
  expect(records.map((record) => after.findDecision(question(record)))).toEqual(found);
  after.close();
});

describe("the same request id for another question is not the same", () => {
  test.each<[string, Partial<ResendQuestion>]>([
    ["action", { action: "other" }],
    ["phase", { phase: "result" }],
    ["principal", { principal: "agent-8" }],
    ["no principal", { principal: null }],
    ["parent_principal", { parent_principal: "boss" }],
    ["span_id", { span_id: "s" }],
    ["call_id", { call_id: null }],
    ["arguments", { argsCanonical: '{"amount":101,"order_id":"ORD-1"}' }],
  ])("%s", (_name, changes) => {
    const ledger = openAt(temporaryState());
    ledger.append([decision()]);
    expect(ledger.findDecision(question(decision()))).toMatchObject({ same: true });
    expect(ledger.findDecision(question(decision(), changes))).toEqual({ same: false });
    ledger.close();
  });
});

describe("what was not decided for this session within the lease is not found", () => {
  const cases: [string, DecisionRecord, Partial<ResendQuestion>][] = [
    ["another session", decision(), { session: sessionOf("b") }],
    ["another request", decision(), { request: "r-2" }],
    ["a decision without a session", decision({ session: null }), {}],
    ["after the lease", decision(), { now_ms: start_ms + resendLease_ms + 1 }],
  ];
  test.each(cases)("%s", (_name, record, changes) => {
    const ledger = openAt(temporaryState());
    ledger.append([record]);
    expect(ledger.findDecision(question(record, changes))).toBeNull();
    ledger.close();
  });

  test("the last moment of the lease is within it, and a clock that went back does not end it", () => {
    const ledger = openAt(temporaryState());
    ledger.append([decision()]);
    for (const now_ms of [start_ms + resendLease_ms, start_ms - 3_600_000]) {
      expect(ledger.findDecision(question(decision(), { now_ms }))).toMatchObject({ same: true });
    }
    ledger.close();
  });

  test("a start reads back as far as the lease, and no further", () => {
    const state = temporaryState();
    const [old, recent] = [decision({ request: "old" }), decision({ request: "recent", time_ms: start_ms + 2 })];
    const before = openAt(state);
    before.append([old, recent]);
    before.close();
    const after = openAt(state, start_ms + resendLease_ms + 1);
    expect(after.findDecision(question(old))).toBeNull();
    expect(after.findDecision(question(recent))).toMatchObject({ same: true });
    after.close();
  });

  test("a session's requests beyond the bound are forgotten, oldest first", () => {
    const ledger = openAt(temporaryState());
    const records = Array.from({ length: maxKeptAnswersPerSession + 1 }, (_, i) => decision({ request: `r-${i}` }));
    ledger.append(records);
    expect(ledger.findDecision(question(records[0]!))).toBeNull();
    expect(ledger.findDecision(question(records[1]!))).toMatchObject({ same: true });
    ledger.close();
  });
});

describe("an answer that was to be kept and is not there is never told without its rewrite", () => {
  const gone = { same: false, error: "the answer to this request is no longer kept" };

  test("after a sweep", () => {
    const ledger = openAt(temporaryState());
    ledger.append([rewrite()]);
    expect(ledger.sweep(start_ms + resendLease_ms - 1)).toBe(0);
    expect(ledger.findDecision(question(rewrite()))).toMatchObject({ same: true });
    expect(ledger.sweep(start_ms + resendLease_ms)).toBe(1);
    expect(ledger.findDecision(question(rewrite()))).toEqual(gone);
    ledger.close();
  });

  test("when the clock went back, a sweep does not keep what expires in the far future", () => {
    const ledger = openAt(temporaryState());
    ledger.append([rewrite()]);
    expect(ledger.sweep(start_ms - 3_600_000)).toBe(1);
    ledger.close();
  });

  test("when it was too long to be kept", () => {
    const ledger = openAt(temporaryState());
    const long = rewrite({ keep: "x".repeat(maxKeptAnswerLength + 1) });
    expect(ledger.append([long])).toEqual([{ durable: true, seq: 1 }]);
    expect(ledger.findDecision(question(long))).toEqual(gone);
    ledger.close();
  });

  test("when its box was changed", () => {
    const state = temporaryState();
    const ledger = openAt(state);
    ledger.append([rewrite()]);
    const { db } = openDatabase(state.ledgerPath, "write");
    db.exec("UPDATE kept SET box = zeroblob(length(box))");
    db.close();
    expect(ledger.findDecision(question(rewrite()))).toEqual(gone);
    ledger.close();
  });

  test("when its box was taken from another receipt", () => {
    const state = temporaryState();
    const ledger = openAt(state);
    const other = rewrite({ request: "r-2", keep: "other" });
    ledger.append([rewrite(), other]);
    const { db } = openDatabase(state.ledgerPath, "write");
    db.exec("UPDATE kept SET box = (SELECT box FROM kept WHERE seq = 1) WHERE seq = 2");
    db.close();
    expect(ledger.findDecision(question(other))).toEqual(gone);
    ledger.close();
  });
});

describe("what cannot be compared is not the same", () => {
  test("a salt that was erased", () => {
    const state = temporaryState();
    const ledger = openAt(state);
    ledger.append([decision()]);
    ledger.settle();
    expect(eraseSalts(state, 1, ["salt"])).toBe(true);
    expect(ledger.findDecision(question(decision()))).toEqual({ same: false });
    ledger.close();
  });

  test.each([
    ["changed", (state: StateDirectory) => tamper(state, (row) => ({ ...row, receipt: "x" }))],
    ["removed", (state: StateDirectory) => tamper(state, () => null)],
  ])("a receipt that was %s", (_name, damage) => {
    const state = temporaryState();
    const ledger = openAt(state);
    ledger.append([decision()]);
    ledger.settle();
    damage(state);
    expect(ledger.findDecision(question(decision()))).toEqual({
      same: false,
      error: "the receipt of this request cannot be read",
    });
    ledger.close();
  });
});
