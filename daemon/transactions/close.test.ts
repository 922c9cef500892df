import { expect, test } from "vitest";
import { maxKeptResultLength } from "./close.ts";
import { recover } from "./recover.ts";
import { resolveUnknown } from "./resolve-unknown.ts";
import { intentOf, lease_ms, limitOf, openSettling, start_ms } from "./test-settling.ts";

test("a result closes the call of its id as executed, once", () => {
  const { authorize, close, transaction, store } = openSettling();
  const { transaction_id, call_id } = intentOf();
  authorize(intentOf({ transaction_id, call_id }));
  expect(close(call_id)).toEqual({ kind: "closed", transaction_id });
  expect(transaction(transaction_id)).toMatchObject({ status: "executed", changed_ms: start_ms + 1 });
  expect(store.reads.findClaim("claim-1")).toMatchObject({ state: "executed" });
  expect(close(call_id)).toEqual({ kind: "unmatched" });
});

test("a result of no call under way, one of another principal, and one of another tool, close nothing", () => {
  const { authorize, close, transaction } = openSettling();
  const intent = intentOf();
  expect(close(intent.call_id)).toEqual({ kind: "unmatched" });
  authorize(intent);
  expect(close(intent.call_id, { principal: "agent-2" })).toEqual({ kind: "unmatched" });
  expect(close(intent.call_id, { principal: null })).toEqual({ kind: "unmatched" });
  expect(close(intent.call_id, { action: "search" })).toEqual({ kind: "unmatched" });
  expect(transaction(intent.transaction_id).status).toBe("authorized");
});

test("a late result settles what was given up as unknown", () => {
  const { authorize, close, run, transaction } = openSettling();
  const intent = intentOf();
  authorize(intent);
  run((tx) => recover(tx, start_ms + lease_ms));
  expect(transaction(intent.transaction_id).status).toBe("unknown");
  close(intent.call_id, { now_ms: start_ms + 2 * lease_ms });
  expect(transaction(intent.transaction_id).status).toBe("executed");
  expect(authorize(intentOf({ now_ms: start_ms + 2 * lease_ms }))).toMatchObject({ kind: "replay" });
});

test("a result that is too long is not kept; the repeat is told that it ran", () => {
  const { authorize, close } = openSettling();
  const intent = intentOf();
  authorize(intent);
  close(intent.call_id, { result: JSON.stringify("x".repeat(maxKeptResultLength)) });
  expect(authorize()).toEqual({ kind: "replay", transaction_id: intent.transaction_id, result: null });
});

test("the result of a call whose repeats are not looked for is not kept", () => {
  const { authorize, close, store } = openSettling();
  const intent = intentOf({ claim: null });
  authorize(intent);
  close(intent.call_id);
  expect(store.reads.findBox(`result:${intent.transaction_id}`, 0)).toBeNull();
});

test.each(["failed", "abandoned"] as const)("a call that %s gives back its claim and its spending", (status) => {
  const { authorize, fail, transaction } = openSettling();
  const intent = intentOf({ limits: [limitOf({ amount: 1_000 })] });
  authorize(intent);
  const error_type = status === "failed" ? "TimeoutError" : null;
  expect(fail(intent.call_id, { status, error_type })).toMatchObject({ kind: "closed" });
  expect(transaction(intent.transaction_id)).toMatchObject({
    status: "failed",
    error_type: error_type ?? "abandoned",
  });
  expect(authorize(intentOf({ limits: [limitOf({ amount: 1_000 })] }))).toMatchObject({ kind: "authorized" });
});

test("an outcome of no call under way is unmatched, and an executed call does not fail any more", () => {
  const { authorize, close, fail, transaction } = openSettling();
  const intent = intentOf();
  expect(fail(intent.call_id)).toEqual({ kind: "unmatched" });
  authorize(intent);
  close(intent.call_id);
  expect(fail(intent.call_id)).toEqual({ kind: "unmatched" });
  expect(transaction(intent.transaction_id).status).toBe("executed");
});

test("a failed call's result that comes all the same closes nothing: a repeat may have run meanwhile", () => {
  const { authorize, close, fail } = openSettling();
  const intent = intentOf();
  authorize(intent);
  fail(intent.call_id);
  expect(close(intent.call_id)).toEqual({ kind: "unmatched" });
});

test("a refusal is written down and takes nothing", () => {
  const { settle, authorize, transaction } = openSettling();
  const intent = intentOf({ limits: [limitOf({ amount: 1_000 })] });
  expect(settle({ kind: "refuse", intent, code: "policy_denied" })).toEqual({
    kind: "refused",
    transaction_id: intent.transaction_id,
  });
  expect(transaction(intent.transaction_id)).toMatchObject({ status: "blocked", error_type: "policy_denied" });
  expect(authorize(intentOf({ limits: [limitOf({ amount: 1_000 })] }))).toMatchObject({ kind: "authorized" });
});

test("recovery gives up what is past its lease, with its claim, and says what it changed", () => {
  const { authorize, run, transaction, store } = openSettling();
  const lost = intentOf();
  const live = intentOf({ claim: null, fingerprint: "f2", lease_ms: lease_ms + 1 });
  authorize(lost);
  authorize(live);
  const now_ms = start_ms + lease_ms;
  expect(run((tx) => recover(tx, now_ms))).toEqual([
    { kind: "unknown", transaction: transaction(lost.transaction_id) },
  ]);
  expect(transaction(lost.transaction_id)).toMatchObject({ status: "unknown", changed_ms: now_ms });
  expect(transaction(live.transaction_id).status).toBe("authorized");
  expect(store.reads.findClaim("claim-1")).toMatchObject({ state: "unknown" });
  expect(run((tx) => recover(tx, now_ms))).toEqual([]);
  expect(authorize(intentOf({ now_ms: start_ms * 1_000 }))).toMatchObject({ kind: "outcome_unknown" });
});

test("an operator's word settles an unknown call: executed is replayed without a result, failed may run again", () => {
  for (const [outcome, kind] of [
    ["executed", "replay"],
    ["failed", "authorized"],
  ] as const) {
    const { authorize, run, transaction } = openSettling();
    const intent = intentOf({ limits: [limitOf({ amount: 1_000 })] });
    authorize(intent);
    const now_ms = start_ms + lease_ms;
    const resolved = run((tx) => resolveUnknown(tx, intent.transaction_id, outcome, now_ms));
    expect(resolved).toEqual({ ok: true, transaction: transaction(intent.transaction_id) });
    expect(transaction(intent.transaction_id)).toMatchObject({ status: outcome, changed_ms: now_ms });
    expect(authorize(intentOf({ now_ms, limits: [limitOf({ amount: 1_000 })] }))).toMatchObject({ kind });
  }
});

test("nobody decides over a call that still runs, has ended, or is not there", () => {
  const { authorize, close, run } = openSettling();
  const intent = intentOf();
  authorize(intent);
  const resolve = (transaction_id: string, now_ms: number): unknown =>
    run((tx) => resolveUnknown(tx, transaction_id, "failed", now_ms));
  expect(resolve(intent.transaction_id, start_ms + lease_ms - 1)).toMatchObject({ ok: false, code: "not_unknown" });
  close(intent.call_id);
  expect(resolve(intent.transaction_id, start_ms + lease_ms)).toMatchObject({ ok: false, code: "not_unknown" });
  expect(resolve("tx_none", start_ms)).toMatchObject({ ok: false, code: "not_found" });
});
