import { describe, expect, test } from "vitest";
import { step } from "../store/steps.ts";
import type { StopRow } from "../store/stop-rows.ts";
import { settlePlan } from "./settle.ts";
import { intentOf, needOf, openSettling, plainDeps, start_ms } from "./test-settling.ts";

const stop: StopRow = {
  stop_id: "st_1",
  begun_ms: start_ms,
  begun_by: "operator:ann",
  reason: "why",
  ended_ms: null,
  ended_by: null,
  end_reason: null,
};

describe("everything was stopped between the question and the moment at which it would be let run", () => {
  test("as this daemon knows: nothing is taken, and nobody is asked", () => {
    const { store, run } = openSettling();
    const stopped = { ...plainDeps, isStopped: () => true };
    const intent = intentOf();
    const authorize = { kind: "authorize", intent, resume: null } as const;
    const ask = { kind: "ask", intent, needs: [needOf()], shapes: [], resume: null, shown: "{}" } as const;
    for (const plan of [authorize, ask]) {
      expect(run((tx) => settlePlan(tx, plan, stopped))).toEqual({ kind: "stopped" });
    }
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toEqual([]);
    expect(store.reads.listApprovals({ status: "all", limit: 10 })).toEqual([]);
    expect(store.reads.findClaim("claim-1")).toBeNull();
  });

  test("its tool became held meanwhile: nothing is taken, and nobody is asked", () => {
    const { store, run } = openSettling();
    const held = { code: "tool_quarantined", reason: "it is quarantined" } as const;
    const intent = { ...intentOf(), heldSince: () => held };
    const authorize = { kind: "authorize", intent, resume: null } as const;
    const ask = { kind: "ask", intent, needs: [needOf()], shapes: [], resume: null, shown: "{}" } as const;
    for (const plan of [authorize, ask]) {
      expect(run((tx) => settlePlan(tx, plan, plainDeps))).toEqual({ kind: "held", ...held });
    }
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toEqual([]);
    expect(store.reads.findClaim("claim-1")).toBeNull();
  });

  test("as another daemon of the store has written it; and what runs already ends as it ends", () => {
    const { authorize, close, fail, run, store } = openSettling();
    const [runs, failing] = [intentOf(), intentOf({ claim: null })];
    authorize(runs);
    authorize(failing);
    run((tx) => step(tx.beginStop(stop)));
    expect(authorize(intentOf({ claim: null }))).toEqual({ kind: "stopped" });
    expect(close(runs.call_id)).toMatchObject({ kind: "closed" });
    expect(fail(failing.call_id)).toMatchObject({ kind: "closed" });
    run((tx) => step(tx.endStop("st_1", { at_ms: start_ms, by: "operator:ann", reason: "over" })));
    expect(authorize(intentOf({ claim: null }))).toMatchObject({ kind: "authorized" });
    expect(store.reads.listTransactions({ status: "all", limit: 10 })).toHaveLength(3);
  });
});

describe("an outcome of a connection that is bound", () => {
  test.each([
    ["agent-1", "closed"],
    ["agent", "unmatched"],
    ["agent-2", "unmatched"],
    ["agent-1/below", "unmatched"],
    [null, "closed"],
  ])("to %s, of a call of agent-1: %s", (by, kind) => {
    const { authorize, fail } = openSettling();
    const intent = intentOf();
    authorize(intent);
    expect(fail(intent.call_id, { by }).kind).toBe(kind);
  });
});
