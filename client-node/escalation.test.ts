import { expect, test } from "vitest";
import type { DecisionDetails } from "../wire/decision.ts";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import type { Escalation } from "./escalation.ts";
import { engineFor, pause, scripted } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";
import { judging } from "./testing/scripted-daemon.ts";

const details = (code: string, approval_id: string | null = "ap_1"): DecisionDetails => ({
  code,
  approval_id,
  transaction_id: "tx_1",
  errors: [],
  replayed: false,
});

const escalating = (fields: object = {}) =>
  recordingEngine(() => new Decision({ verdict: Verdict.ESCALATE, reason: "over 100 EUR", policy_id: "p", ...fields }));

const failure = async (call: Promise<unknown>): Promise<NotApprovedError> => {
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(NotApprovedError);
  return error;
};

test("only a resolved true approves", async () => {
  for (const yes of [true, Promise.resolve(true)]) {
    expect(await enforceToolCall("refund", { eur: 500 }, { engine: escalating(), onEscalate: () => yes })).toEqual({
      eur: 500,
    });
  }
  for (const no of [false, 1, "true", "yes", {}, [], null, undefined, new Boolean(true), Promise.resolve("true")]) {
    const call = enforceToolCall("refund", { eur: 500 }, { engine: escalating(), onEscalate: () => no as never });
    expect((await failure(call)).message).toBe("blocked action 'refund': over 100 EUR (it was not approved)");
  }
});

test("without a callback, or with one that throws or rejects, it is not approved", async () => {
  expect((await failure(enforceToolCall("refund", {}, { engine: escalating() }))).message).toMatch(
    /no `onEscalate` was given/,
  );
  const throws = (): never => {
    throw new RangeError("secret");
  };
  const thrown = await failure(enforceToolCall("refund", {}, { engine: escalating(), onEscalate: throws }));
  expect(thrown.message).toBe("blocked action 'refund': over 100 EUR (`onEscalate` threw RangeError)");
  await failure(
    enforceToolCall("refund", {}, { engine: escalating(), onEscalate: () => Promise.reject(new Error("x")) }),
  );
});

test("NotApprovedError is a BlockedError and carries the escalation", async () => {
  const error = await failure(enforceToolCall("refund", {}, { engine: escalating({ details: details("escalated") }) }));
  expect(error).toBeInstanceOf(BlockedError);
  expect(error).toMatchObject({ name: "NotApprovedError", action: "refund" });
  expect(error.decision).toMatchObject({ verdictName: "ESCALATE", policy_id: "p", details: { approval_id: "ap_1" } });
});

test("the human is shown the action, one line of reason, and what would run", async () => {
  const seen: Escalation[] = [];
  const engine = escalating({
    reason: `two\nlines\u202e ${"x".repeat(600)}`,
    modified_args: { eur: 100 },
    details: details("escalated", null),
  });
  const onEscalate = (escalation: Escalation): boolean => seen.push(escalation) > 0;
  const runs = await enforceToolCall("refund", { eur: 500, to: "c1" }, { engine, onEscalate });
  expect(runs).toEqual({ eur: 100, to: "c1" });
  expect(seen).toEqual([
    { action: "refund", reason: expect.any(String), args: { eur: 100, to: "c1" }, approvalId: null },
  ]);
  const { reason } = seen[0] as Escalation;
  expect(reason).toMatch(/^two lines +x/);
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(512);
});

test("what is shown is frozen, and what runs is a copy that the callback never held", async () => {
  const args = { order: { eur: 5, tags: ["a"], raw: Buffer.from("ab") } };
  const onEscalate = (escalation: Escalation): boolean => {
    const shown = escalation.args as typeof args;
    expect(() => Object.assign(escalation, { args: {} })).toThrow(TypeError);
    expect(() => Object.assign(shown.order, { eur: 1_000_000 })).toThrow(TypeError);
    expect(() => shown.order.tags.push("b")).toThrow(TypeError);
    shown.order.raw.fill(0);
    return true;
  };
  const runs = await enforceToolCall("refund", args, { engine: escalating(), onEscalate });
  expect(runs).toEqual({ order: { eur: 5, tags: ["a"], raw: Buffer.from("ab") } });
  expect(Object.isFrozen(runs)).toBe(false);
});

test("what the caller changes while the question is pending or a human thinks is neither shown nor run", async () => {
  const daemon = await scripted(judging(() => ({ verdict: 3, reason: "?" })));
  const args = { order: { eur: 5 } };
  const onEscalate = async (escalation: Escalation): Promise<boolean> => {
    args.order.eur = 7;
    await pause(10);
    return (escalation.args as typeof args).order.eur === 5;
  };
  const call = enforceToolCall("refund", args, { engine: engineFor(daemon.path), onEscalate });
  args.order.eur = 6;
  expect(await call).toEqual({ order: { eur: 5 } });
  expect(JSON.parse(daemon.peers[0]?.lines[1] as string).event.args).toEqual({ order: { eur: 5 } });
});

test("with replace_args the human is shown, and approves, the call without the removed key", async () => {
  const daemon = await scripted(judging(() => ({ verdict: 3, modified_args: { eur: 5 } })));
  const onEscalate = ({ args }: Escalation): boolean => !("note" in args);
  const engine = engineFor(daemon.path);
  expect(await enforceToolCall("refund", { eur: 5, note: "x" }, { engine, onEscalate })).toEqual({ eur: 5 });
});

test("where only an operator may approve, the client's own yes is not asked for", async () => {
  const onEscalate = (): never => expect.unreachable();
  for (const code of ["escalated_operator", "a_code_of_tomorrow"]) {
    const engine = escalating({ details: details(code) });
    const error = await failure(enforceToolCall("refund", {}, { engine, onEscalate }));
    expect(error.message).toBe("blocked action 'refund': over 100 EUR (an operator has to approve it, approval ap_1)");
  }
});

test("where the client may approve and the daemon keeps no approval, its details change nothing", async () => {
  for (const code of ["escalated", "unknown_escalated"]) {
    const engine = escalating({ details: details(code, null) });
    expect(await enforceToolCall("refund", { a: 1 }, { engine, onEscalate: () => true })).toEqual({ a: 1 });
  }
});
