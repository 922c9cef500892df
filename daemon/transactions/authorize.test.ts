import { describe, expect, test } from "vitest";
import { intentOf, lease_ms, limitOf, openSettling, start_ms, window_ms } from "./test-settling.ts";

describe("authorize", () => {
  test("writes the intent before anything runs: the row, the claim and the spending", () => {
    const { authorize, transaction, store, run } = openSettling();
    const intent = intentOf({ limits: [limitOf()] });
    const { transaction_id } = intent;
    expect(authorize(intent)).toEqual({ kind: "authorized", transaction_id, approval_id: null });
    expect(transaction(transaction_id)).toEqual({
      transaction_id,
      status: "authorized",
      call_id: intent.call_id,
      action: "refund",
      principal: "agent-1",
      parent_principal: null,
      effect: "write",
      fingerprint: "fingerprint-1",
      claim_key: "claim-1",
      claim_window_ms: window_ms,
      approval_id: null,
      resumed_from: null,
      resumed_by: null,
      rules: "sha256:aa",
      created_ms: start_ms,
      lease_until_ms: start_ms + lease_ms,
      changed_ms: start_ms,
      error_type: null,
    });
    expect(store.reads.findClaim("claim-1")).toMatchObject({ state: "held", transaction_id });
    expect(
      run(function* (tx) {
        return (yield tx.spent("counter-1", 0)) as number;
      }),
    ).toBe(400);
  });

  test("an effect that only a limit is about spends, and leaves no row to become unknown", () => {
    const { authorize, store, run } = openSettling();
    const intent = intentOf({ call_id: null, claim: null, limits: [limitOf()] });
    expect(authorize(intent)).toMatchObject({ kind: "authorized" });
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toEqual([]);
    expect(
      run(function* (tx) {
        return (yield tx.spent("counter-1", 0)) as number;
      }),
    ).toBe(400);
  });

  test("a duplicate while it runs is in flight, and takes nothing", () => {
    const { authorize, store } = openSettling();
    const first = intentOf();
    authorize(first);
    const lease_until_ms = start_ms + lease_ms;
    expect(authorize(intentOf({ now_ms: lease_until_ms - 1 }))).toEqual({
      kind: "in_flight",
      transaction_id: first.transaction_id,
      lease_until_ms,
    });
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toHaveLength(1);
  });

  test("a repeat of an executed call is answered with its result until the window is over", () => {
    const { authorize, close } = openSettling();
    const first = intentOf();
    const { transaction_id } = first;
    authorize(first);
    close(first.call_id, { result: '{"refunded":1500}' });
    const closed_ms = start_ms + 1;
    expect(authorize(intentOf({ now_ms: closed_ms + window_ms - 1 }))).toEqual({
      kind: "replay",
      transaction_id,
      result: '{"refunded":1500}',
    });
    expect(authorize(intentOf({ now_ms: closed_ms + window_ms }))).toMatchObject({ kind: "authorized" });
  });

  test("a result that was withheld is not in the replay", () => {
    const { authorize, close } = openSettling();
    const { transaction_id, call_id } = intentOf();
    authorize(intentOf({ transaction_id, call_id }));
    close(call_id, { result: null });
    expect(authorize()).toEqual({ kind: "replay", transaction_id, result: null });
  });

  test("a box that was put at another call's place is no result", () => {
    const { authorize, close, run } = openSettling();
    const first = intentOf();
    authorize(first);
    close(first.call_id);
    run(function* (tx) {
      yield tx.putBox(`result:${first.transaction_id}`, start_ms * 9, Buffer.from("result:tx_other\n{}"));
    });
    expect(authorize()).toMatchObject({ kind: "replay", result: null });
  });

  test("a write of which nothing was heard is never run again by itself", () => {
    const { authorize } = openSettling();
    const first = intentOf();
    authorize(first);
    for (const now_ms of [start_ms + lease_ms, start_ms * 100]) {
      expect(authorize(intentOf({ now_ms }))).toEqual({
        kind: "outcome_unknown",
        transaction_id: first.transaction_id,
      });
    }
  });

  test.each(["read", "idempotent"] as const)("an effect of %s runs again once the first one is lost", (effect) => {
    const { authorize, transaction, store } = openSettling();
    const first = intentOf({ effect });
    authorize(first);
    const second = intentOf({ effect, now_ms: start_ms + lease_ms });
    expect(authorize(second)).toMatchObject({ kind: "authorized", transaction_id: second.transaction_id });
    expect(transaction(first.transaction_id).status).toBe("unknown");
    expect(store.reads.findClaim("claim-1")).toMatchObject({ transaction_id: second.transaction_id, state: "held" });
    expect(authorize(intentOf({ effect, now_ms: start_ms + lease_ms }))).toMatchObject({ kind: "in_flight" });
  });

  test("the late result of a lost call is its own, and leaves the other's claim alone", () => {
    const { authorize, close, transaction, store } = openSettling();
    const first = intentOf({ effect: "idempotent" });
    authorize(first);
    const second = intentOf({ effect: "idempotent", now_ms: start_ms + lease_ms });
    authorize(second);
    expect(close(first.call_id)).toEqual({ kind: "closed", transaction_id: first.transaction_id });
    expect(transaction(first.transaction_id).status).toBe("executed");
    expect(store.reads.findClaim("claim-1")).toMatchObject({ transaction_id: second.transaction_id, state: "held" });
  });

  test("a caller's key that was used for another call is refused, whatever became of that one", () => {
    const { authorize, close } = openSettling();
    const first = intentOf({ claim: { key: "k", content: "one", window_ms } });
    authorize(first);
    const other = (now_ms: number): unknown =>
      authorize(intentOf({ now_ms, fingerprint: "f2", claim: { key: "k", content: "other", window_ms } }));
    const reused = { kind: "key_reused", transaction_id: first.transaction_id };
    expect(other(start_ms)).toEqual(reused);
    expect(other(start_ms + lease_ms)).toEqual(reused);
    close(first.call_id);
    expect(other(start_ms + 2)).toEqual(reused);
    expect(other(start_ms + 1 + window_ms)).toMatchObject({ kind: "authorized" });
  });

  test("another call of a call id that is under way is refused, and takes nothing", () => {
    const { authorize, store } = openSettling();
    const first = intentOf();
    authorize(first);
    const other = intentOf({ call_id: first.call_id, fingerprint: "f2", claim: null, limits: [limitOf()] });
    expect(authorize(other)).toEqual({ kind: "call_id_in_use", transaction_id: first.transaction_id });
    expect(store.reads.findTransaction(other.transaction_id)).toBeNull();
  });

  test("a call without a call id and without a claim is authorized each time", () => {
    const { authorize } = openSettling();
    for (let time = 0; time < 2; time++) {
      expect(authorize(intentOf({ call_id: null, claim: null }))).toMatchObject({ kind: "authorized" });
    }
  });
});

describe("limits", () => {
  const call = (n: number, changes: Parameters<typeof intentOf>[0] = {}): ReturnType<typeof intentOf> =>
    intentOf({ fingerprint: `f${n}`, claim: { key: `k${n}`, content: `k${n}`, window_ms }, ...changes });

  test("a sum over its window is never exceeded, and reaching it is allowed", () => {
    const { authorize, transaction } = openSettling();
    expect(authorize(call(1, { limits: [limitOf({ amount: 600 })] }))).toMatchObject({ kind: "authorized" });
    const over = call(2, { limits: [limitOf({ amount: 400.01 })] });
    expect(authorize(over)).toEqual({
      kind: "limit_exceeded",
      policyId: "refund.daily",
      reason: "1000 a day",
      attributedTo: "amount",
    });
    expect(transaction(over.transaction_id)).toMatchObject({ status: "blocked", error_type: "limit_exceeded" });
    expect(authorize(call(3, { limits: [limitOf({ amount: 400 })] }))).toMatchObject({ kind: "authorized" });
  });

  test("twenty refunds of 499 do not pass where one of 10,000 does not", () => {
    const { authorize } = openSettling();
    const kinds = Array.from({ length: 20 }, (_, n) => authorize(call(n, { limits: [limitOf({ amount: 499 })] })).kind);
    expect(kinds.filter((kind) => kind === "authorized")).toHaveLength(2);
  });

  test("what is exceeded takes no claim: the same call may run when there is room", () => {
    const { authorize, fail } = openSettling();
    const first = call(1, { limits: [limitOf({ amount: 900 })] });
    authorize(first);
    const again = (): unknown => authorize(call(2, { limits: [limitOf({ amount: 500 })] }));
    expect(again()).toMatchObject({ kind: "limit_exceeded" });
    fail(first.call_id);
    expect(again()).toMatchObject({ kind: "authorized" });
  });

  test("spending leaves its window", () => {
    const { authorize } = openSettling();
    authorize(call(1, { limits: [limitOf({ amount: 900, window_ms: 1_000 })] }));
    const later = (n: number, now_ms: number): unknown =>
      authorize(call(n, { now_ms, limits: [limitOf({ amount: 900, window_ms: 1_000 })] }));
    expect(later(2, start_ms + 999)).toMatchObject({ kind: "limit_exceeded" });
    expect(later(3, start_ms + 1_000)).toMatchObject({ kind: "authorized" });
  });

  test("limits that share a counter see each other within one call", () => {
    const { authorize } = openSettling();
    const limits = [limitOf({ amount: 600 }), limitOf({ amount: 600, policyId: "refund.other" })];
    expect(authorize(call(1, { limits }))).toMatchObject({ kind: "limit_exceeded", policyId: "refund.other" });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("an amount of %s exceeds any limit", (amount) => {
    const { authorize } = openSettling();
    expect(authorize(call(1, { limits: [limitOf({ amount })] }))).toMatchObject({ kind: "limit_exceeded" });
  });

  test("a counter of its own has room of its own", () => {
    const { authorize } = openSettling();
    authorize(call(1, { limits: [limitOf({ amount: 1_000 })] }));
    const other = call(2, { limits: [limitOf({ amount: 1_000, counter: "counter-2" })] });
    expect(authorize(other)).toMatchObject({ kind: "authorized" });
  });

  const to = (...members: readonly string[]) =>
    limitOf({ policyId: "mail.recipients", attributedTo: "to", max: 2, amount: members.length, members });

  test("no more different values than may stand in a window, and what stands there already is not one more", () => {
    const { authorize } = openSettling();
    let made = 0;
    const mail = (...members: readonly string[]) => authorize(call(++made, { limits: [to(...members)] })).kind;
    expect(mail("a")).toBe("authorized");
    expect(mail("a", "b")).toBe("authorized");
    expect(mail("a", "c")).toBe("limit_exceeded");
    expect(mail("c", "d", "e")).toBe("limit_exceeded");
    expect(mail("b")).toBe("authorized");
  });

  test("a value stands until the window of its last call is over", () => {
    const { authorize } = openSettling();
    const mail = (n: number, at_ms: number, member: string) =>
      authorize(call(n, { now_ms: start_ms + at_ms, limits: [{ ...to(member), max: 1, window_ms: 1_000 }] })).kind;
    expect(mail(1, 0, "a")).toBe("authorized");
    expect(mail(2, 900, "a")).toBe("authorized");
    expect(mail(3, 1_000, "b")).toBe("limit_exceeded");
    expect(mail(4, 1_899, "b")).toBe("limit_exceeded");
    expect(mail(5, 1_900, "b")).toBe("authorized");
  });

  test("a value that only a failed call had is given back", () => {
    const { authorize, fail } = openSettling();
    const first = call(1, { limits: [to("a", "b")] });
    authorize(first);
    expect(authorize(call(2, { limits: [to("c")] })).kind).toBe("limit_exceeded");
    fail(first.call_id);
    expect(authorize(call(3, { limits: [to("c")] })).kind).toBe("authorized");
  });

  test("limits on values that share a counter see each other's within one call", () => {
    const { authorize } = openSettling();
    const limits = [to("a", "b"), { ...to("c"), policyId: "mail.other" }];
    expect(authorize(call(1, { limits }))).toMatchObject({ kind: "limit_exceeded", policyId: "mail.other" });
  });
});
