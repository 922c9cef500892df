import { describe, expect, test } from "vitest";
import type { ApprovalNeed, ApprovalScope } from "../../contracts/policy.ts";
import { recover } from "../recover.ts";
import type { ApprovalStatus } from "../status.ts";
import { exact, intentOf, needFor_ms, needOf, openSettling, pendingId, start_ms } from "../test-settling.ts";
import { type Revocation, revokeApproval } from "./revoke.ts";
import { maxStandingGrant_ms } from "./scope.ts";
import { mayBecome } from "./transitions.ts";
import { castVote } from "./vote.ts";

const shape: ApprovalScope = { kind: "shape", paths: ["order_id"] };
const shapes = [{ paths: ["order_id"], key: "order-42" }];
const olga = { name: "olga", roles: ["refunds"] };
const omar = { name: "omar", roles: ["refunds"] };

const asked = (needs: readonly ApprovalNeed[] = [needOf()], intent = intentOf()) => {
  const settling = openSettling();
  const approval_id = pendingId(settling.ask({ needs, shapes, intent }));
  const revoke = (changes: Partial<Revocation> = {}) =>
    settling.run((tx) => revokeApproval(tx, { approval_id, operator: olga, now_ms: start_ms + 2, ...changes }));
  const vote = (ballot: Parameters<typeof settling.vote>[1] = {}) => settling.vote(approval_id, ballot);
  const status = (): ApprovalStatus => settling.approval(approval_id).status;
  return { ...settling, approval_id, intent, revoke, vote, status };
};

describe("a yes", () => {
  test("grants the request for one call, as long again as it was open", () => {
    const { vote, approval, approval_id } = asked();
    const outcome = vote({ note: "ticket 42" });
    expect(outcome).toEqual({ ok: true, approval: approval(approval_id) });
    expect(approval(approval_id)).toMatchObject({
      version: 2,
      status: "granted",
      scope: "once",
      match_key: null,
      granted_until_ms: start_ms + 1 + needFor_ms,
      decided_by: "operator:olga",
      changed_ms: start_ms + 1,
    });
    expect(JSON.parse(approval(approval_id).votes)).toEqual([
      {
        operator: "olga",
        roles: ["refunds"],
        time_ms: start_ms + 1,
        scope: { kind: "once" },
        until_ms: null,
        note: "ticket 42",
      },
    ]);
  });

  test("is one of several where more are needed, each from another operator", () => {
    const { vote, status } = asked([needOf({ count: 2 })]);
    expect(vote()).toMatchObject({ ok: true, approval: { status: "pending", decided_by: null } });
    expect(vote()).toMatchObject({ ok: false, code: "voted_already" });
    expect(vote({ operator: { name: "Olga ", roles: ["refunds"] } })).toMatchObject({ code: "voted_already" });
    expect(status()).toBe("pending");
    expect(vote({ operator: omar })).toMatchObject({ ok: true, approval: { status: "granted" } });
  });

  test("counts for the needs whose role it has, and every need has its own", () => {
    const { vote, status } = asked([needOf({ roles: ["refunds"] }), needOf({ roles: ["finance"] })]);
    expect(vote({ operator: { name: "eve", roles: ["sales"] } })).toMatchObject({ code: "lacks_role" });
    expect(vote()).toMatchObject({ ok: true });
    expect(vote({ operator: omar })).toMatchObject({ ok: true });
    expect(status()).toBe("pending");
    expect(vote({ operator: { name: "fay", roles: ["finance"] } })).toMatchObject({
      approval: { status: "granted" },
    });
  });

  test.each(["agent-1", "Agent-1", " agent-1", "parent-1"])("is never the requester's own (%s)", (name) => {
    const { vote, status } = asked([needOf()], intentOf({ parent_principal: "parent-1" }));
    expect(vote({ operator: { name, roles: ["refunds"] } })).toMatchObject({ ok: false, code: "is_requester" });
    expect(status()).toBe("pending");
  });

  test("under a client's name counts for no operator's need", () => {
    const { vote } = asked();
    const operator = { name: "client:agent-1", roles: ["refunds"] };
    expect(vote({ operator: { ...operator, roles: [] } })).toMatchObject({ code: "lacks_role" });
    expect(vote({ operator })).toMatchObject({ code: "lacks_role" });
  });

  test("is too late when the request's time is over, and says so in the row", () => {
    const { vote, status, transaction, intent } = asked();
    expect(vote({ now_ms: start_ms + needFor_ms })).toMatchObject({ code: "expired", approval: { status: "expired" } });
    expect(status()).toBe("expired");
    expect(transaction(intent.transaction_id).status).toBe("blocked");
    expect(vote()).toMatchObject({ code: "expired" });
  });

  test("for what is not there is refused", () => {
    expect(openSettling().vote("ap_none")).toEqual({ ok: false, code: "not_found", approval: null });
  });
});

describe("the scope of a yes", () => {
  test.each([
    ["exact where the policy permits one call", exact, [needOf()]],
    ["shape where only exact is permitted", shape, [needOf({ scopes: [exact] })]],
    ["a shape of other paths", { kind: "shape", paths: ["customer"] } as const, [needOf({ scopes: [shape] })]],
    ["exact where one need of two does not permit it", exact, [needOf({ scopes: [exact] }), needOf()]],
    [
      "a shape that the call has not",
      { kind: "shape", paths: ["gone"] } as const,
      [needOf({ scopes: [{ kind: "shape", paths: ["gone"] }] })],
    ],
  ])("%s is refused", (_name, scope, needs) => {
    const { vote, status } = asked(needs);
    expect(vote({ scope })).toMatchObject({ ok: false, code: "scope_not_permitted" });
    expect(status()).toBe("pending");
  });

  test.each([
    ["exact", exact, "fingerprint-1"],
    ["shape", shape, "order-42"],
  ])("%s is kept with what later calls are found by", (kind, scope, match_key) => {
    const { vote } = asked([needOf({ scopes: [exact, shape] })]);
    const until_ms = start_ms + 1 + maxStandingGrant_ms;
    expect(vote({ scope, until_ms })).toMatchObject({
      approval: { scope: kind, match_key, granted_until_ms: until_ms },
    });
  });

  test("is once where the voters did not agree on more, and for the shortest time that one named", () => {
    const { vote } = asked([needOf({ count: 2, scopes: [exact] })]);
    vote({ scope: exact, until_ms: start_ms + 2 * needFor_ms });
    expect(vote({ operator: omar, until_ms: start_ms + 500 })).toMatchObject({
      approval: { scope: "once", match_key: null, granted_until_ms: start_ms + 500 },
    });
  });

  test.each([
    ["now", { until_ms: start_ms + 1 }],
    ["past", { until_ms: start_ms }],
    ["longer than one call may be granted for", { until_ms: start_ms + 2 + needFor_ms }],
    ["longer than any grant stands", { scope: exact, until_ms: start_ms + 2 + maxStandingGrant_ms }],
    ["no number", { until_ms: Number.NaN }],
  ])("until a time that is %s is refused", (_name, ballot) => {
    const { vote } = asked([needOf({ scopes: [exact] })]);
    expect(vote(ballot)).toMatchObject({ ok: false, code: "until_out_of_range" });
  });
});

describe("a no", () => {
  test("decides at once and blocks who asked, everyone of them", () => {
    const { vote, ask, transaction, intent } = asked([needOf({ count: 3 })]);
    const second = intentOf();
    ask({ intent: second, needs: [needOf({ count: 3 })] });
    vote({ operator: omar });
    expect(vote({ answer: "deny", note: "no" })).toMatchObject({
      approval: { status: "denied", decided_by: "operator:olga" },
    });
    for (const { transaction_id } of [intent, second]) {
      expect(transaction(transaction_id)).toMatchObject({ status: "blocked", error_type: "approval_denied" });
    }
  });

  test("may come from who said yes before", () => {
    const { vote } = asked([needOf({ count: 2 })]);
    vote();
    expect(vote({ answer: "deny" })).toMatchObject({ approval: { status: "denied" } });
  });

  test("needs a role like a yes", () => {
    const { vote } = asked([needOf({ roles: ["finance"] })]);
    expect(vote({ answer: "deny" })).toMatchObject({ code: "lacks_role" });
  });
});

describe("transitions", () => {
  test("a decided request is not decided again", () => {
    for (const first of ["grant", "deny"] as const) {
      for (const second of ["grant", "deny"] as const) {
        const { vote, approval, approval_id } = asked();
        vote({ answer: first });
        const before = approval(approval_id);
        expect(vote({ operator: omar, answer: second })).toMatchObject({ ok: false, code: "not_pending" });
        expect(approval(approval_id)).toEqual(before);
      }
    }
  });

  test("a request and a grant can be revoked, by who could have granted, once", () => {
    for (const granted of [true, false]) {
      const { vote, revoke, status } = asked([needOf({ roles: ["refunds"] })]);
      if (granted) vote();
      expect(revoke({ operator: { name: "eve", roles: [] } })).toMatchObject({ code: "lacks_role" });
      expect(revoke()).toMatchObject({ ok: true, approval: { status: "revoked", decided_by: "operator:olga" } });
      expect(status()).toBe("revoked");
      expect(revoke()).toMatchObject({ ok: false, code: "not_pending" });
      expect(vote({ operator: omar })).toMatchObject({ ok: false, code: "not_pending" });
    }
  });

  test("what is over is expired and not revoked; what is not there is not found", () => {
    const { revoke, status } = asked();
    expect(revoke({ now_ms: start_ms + needFor_ms })).toMatchObject({ code: "expired" });
    expect(status()).toBe("expired");
    expect(revoke()).toMatchObject({ code: "expired" });
    expect(revoke({ approval_id: "ap_none" })).toMatchObject({ code: "not_found" });
  });

  test("the clock ends requests and grants, each an outcome of its own", () => {
    const requested = asked();
    const { run, approval, approval_id } = requested;
    expect(run((tx) => recover(tx, start_ms + needFor_ms - 1))).toEqual([]);
    expect(run((tx) => recover(tx, start_ms + needFor_ms))).toEqual([
      { kind: "expired", approval: approval(approval_id) },
    ]);
    expect(approval(approval_id)).toMatchObject({ status: "expired", changed_ms: start_ms + needFor_ms });
    const granted = asked();
    granted.vote();
    expect(granted.run((tx) => recover(tx, start_ms + needFor_ms))).toEqual([]);
    expect(granted.run((tx) => recover(tx, start_ms + 1 + needFor_ms))).toMatchObject([{ kind: "expired" }]);
  });

  test("a vote on a version that somebody changed meanwhile is not taken", () => {
    const { run, approval_id, status } = asked();
    const outcome = run(function* (tx) {
      // The row as it was read before another one's vote was written.
      const stale = (yield tx.findApproval(approval_id)) as never;
      yield tx.changeApproval(approval_id, 1, { votes: "[]" });
      const reads = { ...tx, findApproval: () => stale };
      return yield* castVote(reads, { approval_id, operator: olga, answer: "grant", now_ms: start_ms + 1 });
    });
    expect(outcome).toMatchObject({ ok: false, code: "changed_meanwhile" });
    expect(status()).toBe("pending");
  });

  test("the table is closed", () => {
    const all = ["pending", "granted", "denied", "revoked", "expired", "used"] as const;
    const allowed = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from} -> ${to}`));
    expect(allowed).toEqual([
      "pending -> granted",
      "pending -> denied",
      "pending -> revoked",
      "pending -> expired",
      "granted -> revoked",
      "granted -> expired",
      "granted -> used",
    ]);
  });
});
