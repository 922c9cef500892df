import { describe, expect, test } from "vitest";
import { revokeApproval } from "./approvals/revoke.ts";
import { recover } from "./recover.ts";
import { maxShownLength } from "./request.ts";
import {
  exact,
  intentOf,
  lease_ms,
  limitOf,
  needFor_ms,
  needOf,
  openSettling,
  pendingId,
  type Settling,
  start_ms,
} from "./test-settling.ts";

/** A call that waits for a yes. */
const asked = (options: Parameters<Settling["ask"]>[0] = {}) => {
  const settling = openSettling();
  const intent = options.intent ?? intentOf();
  const approval_id = pendingId(settling.ask({ ...options, intent }));
  const call_id = intent.call_id as string;
  const resume = { approval_id, call_id };
  /** The approved call, run by whoever asked. */
  const resumed = (changes: Parameters<typeof intentOf>[0] = {}, more: Parameters<Settling["ask"]>[0] = {}) =>
    settling.ask({
      ...options,
      ...more,
      intent: intentOf({ call_id, resumed_from: intent.transaction_id, ...changes }),
      resume,
    });
  return { ...settling, intent, approval_id, resume, resumed };
};

const over = (approval_id: string, status: string): object => ({ kind: "approval_over", approval_id, status });

describe("a request", () => {
  test("is not opened for a call that is too long to be shown: nobody could read what they say yes to", () => {
    const { settle, transaction, store } = openSettling();
    const intent = intentOf();
    const shown = "x".repeat(maxShownLength + 1);
    const ask = { kind: "ask", intent, needs: [needOf()], shapes: [], resume: null, shown } as const;
    expect(settle(ask)).toEqual({ kind: "approval_too_large", transaction_id: intent.transaction_id });
    expect(transaction(intent.transaction_id)).toMatchObject({ status: "blocked", error_type: "approval_too_large" });
    expect(store.reads.listApprovals({ status: "all", limit: 10 })).toEqual([]);
    expect(settle({ ...ask, intent: intentOf(), shown: shown.slice(1) })).toMatchObject({ kind: "pending" });
  });

  test("is opened with the transaction that asks and the call that is shown, and takes nothing", () => {
    const { approval, transaction, store, approval_id, intent } = asked({ needs: [needOf({ count: 2 })] });
    expect(approval(approval_id)).toMatchObject({
      version: 1,
      status: "pending",
      call_id: intent.call_id,
      transaction_id: intent.transaction_id,
      reason: "over 500",
      requested_ms: start_ms,
      expires_ms: start_ms + needFor_ms,
      votes: "[]",
    });
    expect(transaction(intent.transaction_id)).toMatchObject({ status: "pending_approval", approval_id });
    expect(store.reads.findClaim("claim-1")).toBeNull();
    const box = store.reads.findBox(`args:${approval_id}`, start_ms) as Uint8Array;
    expect(Buffer.from(box).toString()).toBe(`args:${approval_id}\n{"shown":true}`);
  });

  test("is one however often the call is put, and each call id that asked may resume", () => {
    const { ask, vote, approval_id, intent, store } = asked();
    const again = intentOf();
    expect(ask({ intent: again })).toEqual({
      kind: "pending",
      transaction_id: intent.transaction_id,
      approval_id,
      expires_ms: start_ms + needFor_ms,
    });
    expect(ask({ intent: intentOf({ call_id: again.call_id }) })).toMatchObject({ approval_id });
    expect(store.reads.listApprovals({ status: "all", limit: 10 })).toHaveLength(1);
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toHaveLength(2);
    vote(approval_id);
    const resume = { approval_id, call_id: again.call_id as string };
    expect(ask({ intent: intentOf({ call_id: again.call_id }), resume })).toMatchObject({ kind: "authorized" });
  });

  test("of another call is another", () => {
    const { ask, approval_id } = asked();
    expect(pendingId(ask({ intent: intentOf({ fingerprint: "f2", claim: null }) }))).not.toBe(approval_id);
  });

  test("is not opened for what a limit blocks", () => {
    const { ask, store } = openSettling();
    expect(ask({ intent: intentOf({ limits: [limitOf({ amount: 1_001 })] }) })).toMatchObject({
      kind: "limit_exceeded",
    });
    expect(store.reads.listApprovals({ status: "all", limit: 10 })).toEqual([]);
  });

  test("that is over is over before anybody writes it down; the next call asks anew", () => {
    const { ask, resumed, approval, transaction, approval_id, intent } = asked();
    const now_ms = start_ms + needFor_ms;
    expect(resumed({ now_ms })).toEqual(over(approval_id, "expired"));
    expect(pendingId(ask({ intent: intentOf({ now_ms }) }))).not.toBe(approval_id);
    expect(approval(approval_id).status).toBe("expired");
    expect(transaction(intent.transaction_id)).toMatchObject({ status: "blocked", error_type: "approval_expired" });
  });

  test("without a need is a fault, and nothing is written", () => {
    const { ask, store } = openSettling();
    expect(() => ask({ needs: [] })).toThrow("a request for an approval has a need");
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toEqual([]);
  });
});

describe("resume", () => {
  test("runs a granted call once: the grant is used up, and both transactions are linked", () => {
    const { vote, resumed, approval, transaction, approval_id, intent } = asked();
    vote(approval_id);
    const settled = resumed();
    expect(settled).toMatchObject({ kind: "authorized", approval_id });
    const { transaction_id } = settled as { transaction_id: string };
    expect(approval(approval_id)).toMatchObject({ status: "used", used_by: transaction_id });
    expect(transaction(transaction_id)).toMatchObject({
      status: "authorized",
      approval_id,
      resumed_from: intent.transaction_id,
      call_id: intent.call_id,
    });
    expect(transaction(intent.transaction_id)).toMatchObject({ resumed_by: transaction_id });
  });

  test.each([true, false])("that comes twice is told what became of the first (claimed: %s)", (claimed) => {
    const claim = claimed ? intentOf().claim : null;
    const { vote, resumed, close, approval_id, intent } = asked({ intent: intentOf({ claim }) });
    vote(approval_id);
    const first = resumed({ claim });
    const { transaction_id } = first as { transaction_id: string };
    expect(resumed({ claim })).toMatchObject({ kind: "in_flight", transaction_id });
    close(intent.call_id, { result: '{"refunded":1500}' });
    expect(resumed({ claim })).toEqual({ kind: "replay", transaction_id, result: '{"refunded":1500}' });
  });

  test("of a grant whose call was lost is unknown, and nothing runs", () => {
    const { vote, resumed, run, approval_id, resume } = asked({ intent: intentOf({ claim: null }) });
    vote(approval_id);
    const { transaction_id } = resumed({ claim: null }) as { transaction_id: string };
    run((tx) => recover(tx, start_ms + lease_ms));
    for (const call_id of [resume.call_id, null]) {
      const again = resumed({ claim: null, call_id, now_ms: start_ms + lease_ms });
      expect(again).toMatchObject({ transaction_id, kind: "outcome_unknown" });
    }
  });

  test("of a grant whose call failed is not a second attempt: the grant was for one", () => {
    const { vote, resumed, fail, approval_id, intent } = asked();
    vote(approval_id);
    resumed();
    fail(intent.call_id);
    expect(resumed()).toEqual(over(approval_id, "used"));
  });

  test("before a yes is pending, after a no it is denied", () => {
    const { vote, resumed, approval_id } = asked();
    expect(resumed()).toMatchObject({ kind: "pending", approval_id });
    vote(approval_id, { answer: "deny" });
    expect(resumed()).toEqual(over(approval_id, "denied"));
  });

  test("of an approval that is not there, or is of another call, runs nothing", () => {
    const { ask, vote, resumed, approval_id, resume, transaction } = asked();
    vote(approval_id);
    const call_id = resume.call_id;
    const named = (approval: string, id: string, changes = {}): unknown =>
      ask({ intent: intentOf({ call_id: id, ...changes }), resume: { approval_id: approval, call_id: id } });
    expect(named("ap_none", call_id)).toEqual(over("ap_none", "missing"));
    expect(named(approval_id, "call-of-another")).toEqual(over(approval_id, "other_call"));
    const other = intentOf({ call_id, fingerprint: "f2", claim: null });
    expect(ask({ intent: other, resume })).toEqual(over(approval_id, "other_call"));
    expect(transaction(other.transaction_id)).toMatchObject({
      status: "blocked",
      error_type: "approval_other_call",
    });
    expect(resumed()).toMatchObject({ kind: "authorized" });
    // Whoever knows the approval alone is not told what became of it either.
    expect(named(approval_id, "call-of-another")).toEqual(over(approval_id, "other_call"));
  });

  test("by a call id that joined the request is told what it came to, like the first", () => {
    const { ask, vote, approval_id } = asked();
    const joined = intentOf();
    ask({ intent: joined });
    vote(approval_id, { answer: "deny" });
    const resume = { approval_id, call_id: joined.call_id as string };
    expect(ask({ intent: intentOf({ call_id: joined.call_id }), resume })).toEqual(over(approval_id, "denied"));
  });

  test("of a revoked grant runs nothing", () => {
    const { vote, run, resumed, transaction, approval_id, intent } = asked();
    vote(approval_id);
    run((tx) => revokeApproval(tx, { approval_id, operator: { name: "olga", roles: [] }, now_ms: start_ms + 2 }));
    expect(resumed()).toEqual(over(approval_id, "revoked"));
    expect(transaction(intent.transaction_id)).toMatchObject({ status: "blocked", error_type: "approval_revoked" });
  });

  test("of a grant whose time is over runs nothing, whether or not that was written down", () => {
    const { vote, run, resumed, approval_id } = asked();
    vote(approval_id);
    const now_ms = start_ms + 1 + needFor_ms;
    expect(resumed({ now_ms: now_ms - 1 }, { needs: [needOf({ count: 2 })] })).toMatchObject({ kind: "pending" });
    const other = asked();
    other.vote(other.approval_id);
    expect(other.resumed({ now_ms })).toEqual(over(other.approval_id, "expired"));
    run((tx) => recover(tx, now_ms));
    expect(resumed({ now_ms })).toMatchObject({ kind: "approval_over" });
  });

  test("takes nothing where a limit is exceeded: the grant stays", () => {
    const { vote, resumed, approval, approval_id } = asked();
    vote(approval_id);
    expect(resumed({ limits: [limitOf({ amount: 1_001 })] })).toMatchObject({ kind: "limit_exceeded" });
    expect(approval(approval_id).status).toBe("granted");
    expect(resumed({ limits: [limitOf()] })).toMatchObject({ kind: "authorized" });
  });

  test("where the rules ask for nothing any more still needs the approval to stand, and uses it up", () => {
    const { authorize, vote, resume, approval, approval_id } = asked();
    const run = (): unknown => authorize(intentOf({ call_id: resume.call_id }), resume);
    expect(run()).toMatchObject({ kind: "pending" });
    vote(approval_id);
    expect(run()).toMatchObject({ kind: "authorized", approval_id });
    expect(approval(approval_id).status).toBe("used");
    const denied = asked();
    denied.vote(denied.approval_id, { answer: "deny" });
    expect(denied.authorize(intentOf({ call_id: denied.resume.call_id }), denied.resume)).toMatchObject({
      kind: "approval_over",
      status: "denied",
    });
  });

  test.each([
    ["more yeses", needOf({ count: 2 })],
    ["another role", needOf({ roles: ["finance"] })],
    ["one more need", needOf({ policyId: "p2", roles: ["finance"] })],
  ])("where the rules ask for %s by now asks anew, and the old grant ends", (_name, need) => {
    const { vote, resumed, approval, approval_id } = asked();
    vote(approval_id);
    const needs = [needOf(), need];
    const next = pendingId(resumed({}, { needs }));
    expect(next).not.toBe(approval_id);
    expect(approval(approval_id)).toMatchObject({ status: "revoked", decided_by: "rules" });
    expect(resumed({}, { needs })).toEqual(over(approval_id, "revoked"));
  });
});

describe("a call that is put again", () => {
  test("runs by the grant for it, whatever its call id", () => {
    const { ask, vote, approval, transaction, approval_id, intent } = asked();
    vote(approval_id);
    const again = intentOf();
    expect(ask({ intent: again })).toMatchObject({ kind: "authorized", approval_id });
    expect(approval(approval_id)).toMatchObject({ status: "used", used_by: again.transaction_id });
    expect(transaction(again.transaction_id).resumed_from).toBe(intent.transaction_id);
    expect(ask()).toMatchObject({ kind: "in_flight" });
  });

  test("stays denied until the request's time is over, and then asks anew", () => {
    const { ask, vote, approval_id } = asked();
    vote(approval_id, { answer: "deny" });
    expect(ask({ intent: intentOf({ now_ms: start_ms + needFor_ms - 1 }) })).toEqual(over(approval_id, "denied"));
    expect(pendingId(ask({ intent: intentOf({ now_ms: start_ms + needFor_ms }) }))).not.toBe(approval_id);
  });

  test("runs again and again by a grant for exactly it, until that is over", () => {
    const needs = [needOf({ scopes: [{ kind: "once" }, exact] })];
    const { ask, vote, approval, approval_id } = asked({ needs, intent: intentOf({ claim: null }) });
    vote(approval_id, { scope: exact, until_ms: start_ms + 10 * needFor_ms });
    const again = (now_ms: number): unknown => ask({ needs, intent: intentOf({ claim: null, now_ms }) });
    expect(again(start_ms + 1)).toMatchObject({ kind: "authorized", approval_id });
    expect(again(start_ms + 10 * needFor_ms - 1)).toMatchObject({ kind: "authorized", approval_id });
    expect(approval(approval_id)).toMatchObject({ status: "granted", used_by: null });
    expect(again(start_ms + 10 * needFor_ms)).toMatchObject({ kind: "pending" });
  });

  test("of the granted shape runs, of another shape or principal asks", () => {
    const shape = { kind: "shape", paths: ["order_id"] } as const;
    const needs = [needOf({ scopes: [{ kind: "once" }, shape] })];
    const shapes = [{ paths: ["order_id"], key: "order-42" }];
    const { ask, vote, approval_id } = asked({ needs, shapes });
    vote(approval_id, { scope: shape });
    const put = (fingerprint: string, key: string, asking = needs): unknown =>
      ask({
        needs: asking,
        shapes: [{ paths: ["order_id"], key }],
        intent: intentOf({ fingerprint, claim: null, now_ms: start_ms + 2 }),
      });
    expect(put("f2", "order-42")).toMatchObject({ kind: "authorized", approval_id });
    expect(put("f3", "order-43")).toMatchObject({ kind: "pending" });
    // The policy does not permit the shape any more.
    expect(put("f4", "order-42", [needOf()])).toMatchObject({ kind: "pending" });
  });

  test("denied by itself does not run by a grant for its shape", () => {
    const shape = { kind: "shape", paths: ["order_id"] } as const;
    const needs = [needOf({ scopes: [shape] })];
    const shapes = [{ paths: ["order_id"], key: "order-42" }];
    const { ask, vote, approval_id } = asked({ needs, shapes, intent: intentOf({ fingerprint: "f0", claim: null }) });
    const own = pendingId(ask({ needs, shapes }));
    vote(own, { answer: "deny" });
    vote(approval_id, { scope: shape });
    expect(ask({ needs, shapes, intent: intentOf({ now_ms: start_ms + 2 }) })).toEqual(over(own, "denied"));
  });

  test("that waits for its own request runs by a grant for its shape meanwhile", () => {
    const shape = { kind: "shape", paths: ["order_id"] } as const;
    const needs = [needOf({ scopes: [shape] })];
    const shapes = [{ paths: ["order_id"], key: "order-42" }];
    const { ask, vote, approval_id } = asked({ needs, shapes, intent: intentOf({ fingerprint: "f0", claim: null }) });
    expect(ask({ needs, shapes })).toMatchObject({ kind: "pending" });
    vote(approval_id, { scope: shape });
    expect(ask({ needs, shapes, intent: intentOf({ now_ms: start_ms + 2 }) })).toMatchObject({
      kind: "authorized",
      approval_id,
    });
  });
});

describe("where the client may say yes", () => {
  const byClient = needOf({ by: "client" });

  test("its resume is that yes, and runs the call once", () => {
    const { resumed, approval, approval_id } = asked({ needs: [byClient] });
    expect(resumed()).toMatchObject({ kind: "authorized", approval_id });
    expect(approval(approval_id)).toMatchObject({ status: "used", decided_by: "client:agent-1", scope: "once" });
    expect(resumed()).toMatchObject({ kind: "in_flight" });
  });

  test("it says yes for itself alone: an operator's need stays", () => {
    const needs = [byClient, needOf({ policyId: "p2", roles: ["refunds"] })];
    const { resumed, vote, approval, approval_id } = asked({ needs });
    expect(resumed()).toMatchObject({ kind: "pending" });
    expect(resumed()).toMatchObject({ kind: "pending" });
    expect(JSON.parse(approval(approval_id).votes)).toHaveLength(1);
    expect(vote(approval_id)).toMatchObject({ ok: true, approval: { status: "granted" } });
    expect(resumed()).toMatchObject({ kind: "authorized" });
  });

  test("it does not say yes to what an operator has to", () => {
    const { resumed, approval, approval_id } = asked();
    expect(resumed()).toMatchObject({ kind: "pending" });
    expect(approval(approval_id)).toMatchObject({ version: 1, votes: "[]" });
  });

  test("a rule that was loosened to it does not undo an operator's need of the request", () => {
    const { resumed } = asked();
    expect(resumed({}, { needs: [byClient] })).toMatchObject({ kind: "pending" });
  });

  test("the call that is put again, and does not resume, is no yes", () => {
    const { ask, approval_id } = asked({ needs: [byClient] });
    expect(ask({ needs: [byClient] })).toMatchObject({ kind: "pending", approval_id });
  });
});

test("a row that cannot be read grants nothing", () => {
  const { run, resumed, vote, intent, approval_id } = asked();
  run(function* (tx) {
    yield tx.changeApproval(approval_id, 1, { votes: "{", status: "granted", scope: "once" });
    yield tx.changeApproval(approval_id, 2, { granted_until_ms: start_ms * 2 });
  });
  expect(() => resumed()).toThrow("an approval's row is damaged");
  expect(vote(approval_id)).toMatchObject({ ok: false, code: "not_pending" });
  expect(intent.claim).not.toBeNull();
});
