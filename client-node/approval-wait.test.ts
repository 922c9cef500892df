import { afterEach, expect, test, vi } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import type { EnforceOptions, Engine } from "./guard-options.ts";
import { guardToolMap } from "./guard-tools.ts";
import { ApprovalBook, approving, detailsOf } from "./testing/approving-daemon.ts";
import { engineFor, pause, scripted } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";

afterEach(() => {
  vi.useRealTimers();
});

const decision = (
  verdict: Verdict,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
  fields: object = {},
): Decision => new Decision({ verdict, reason: "ask", details: detailsOf(code, more) as never, ...fields }, true);
const pending = decision(Verdict.ESCALATE, "approval_pending", { approval_id: "ap_1" });
const granted = decision(Verdict.MODIFY, "allowed", { transaction_id: "tx_2" }, { modified_args: { eur: 9 } });

/** Escalates the call to an operator and answers each resume with the next of `answers`; the last one for ever. */
const answering = (...answers: (Decision | Error)[]) => {
  const polls_ms: number[] = [];
  const engine: Engine & { polls_ms: number[] } = {
    polls_ms,
    evaluate: async () => decision(Verdict.ESCALATE, "escalated_operator", { approval_id: "ap_1" }),
    resume: async () => {
      polls_ms.push(performance.now());
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) as Decision | Error;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    outcome: async () => Decision.allow(),
  };
  return engine;
};

const waiting = (engine: Engine, more: Partial<EnforceOptions> = {}): Promise<unknown> => {
  const call = enforceToolCall("refund", { eur: 9 }, { engine, callId: "c", escalate: "wait", ...more });
  return call.catch((error) => error);
};

test("waits until an operator has granted it, and runs what was approved; `onEscalate` is not asked", async () => {
  const engine = answering(pending, pending, granted);
  const onEscalate = (): never => expect.unreachable();
  expect(await waiting(engine, { onEscalate })).toEqual({ eur: 9 });
  expect(engine.polls_ms.length).toBe(3);
});

test("asks after 250 ms, then ever more rarely, at most every two seconds, and never past the deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const start_ms = performance.now();
  const engine = answering(pending);
  const call = waiting(engine, { escalateDeadline_ms: 9000 });
  await vi.advanceTimersByTimeAsync(60_000);
  const error = (await call) as NotApprovedError;
  expect(error).toBeInstanceOf(NotApprovedError);
  expect(error).toMatchObject({ approvalId: "ap_1", callId: "c" });
  expect(error.message).toBe("blocked action 'refund': ask (nobody approved it within 9 s, approval ap_1)");
  expect(engine.polls_ms.map((at_ms) => Math.round(at_ms - start_ms))).toEqual([
    250, 750, 1750, 3750, 5750, 7750, 9000,
  ]);
});

test("waits ten minutes at most where no deadline is given", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const call = waiting(answering(pending));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(((await call) as Error).message).toMatch(/nobody approved it within 600 s/);
});

test.each<[string, Decision]>([
  ["denied", decision(Verdict.BLOCK, "approval_denied")],
  ["expired", decision(Verdict.BLOCK, "approval_expired")],
  ["revoked", decision(Verdict.BLOCK, "approval_revoked")],
  ["blocked by today's rules", decision(Verdict.BLOCK, "rule_blocked")],
  ["in flight", decision(Verdict.BLOCK, "in_flight")],
  ["in need of another approval", decision(Verdict.ESCALATE, "approval_pending", { approval_id: "ap_2" })],
  ["escalated anew", decision(Verdict.ESCALATE, "escalated_operator", { approval_id: "ap_1" })],
])("a call that is %s ends the wait", async (_name, answer) => {
  const engine = answering(answer);
  expect(await waiting(engine)).toBeInstanceOf(BlockedError);
  expect(engine.polls_ms.length).toBe(1);
});

test("a daemon that gives no verdict is asked again", async () => {
  const engine = answering(new BlockedError(Decision.block("unreachable"), "refund"), new Error("x"), pending, granted);
  expect(await waiting(engine)).toEqual({ eur: 9 });
  expect(engine.polls_ms.length).toBe(4);
});

test("a daemon that never answers keeps nobody waiting past the deadline, and what it lets run later is abandoned", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let answer = (_: Decision): void => {};
  const told: string[] = [];
  const engine: Engine = {
    ...answering(pending),
    resume: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    outcome: async ({ call_id, status }) => {
      told.push(`${call_id} ${status}`);
      return Decision.allow();
    },
  };
  const call = waiting(engine, { escalateDeadline_ms: 1000 });
  await vi.advanceTimersByTimeAsync(6000);
  expect(await call).toBeInstanceOf(NotApprovedError);
  expect(told).toEqual([]);
  answer(granted);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(["c abandoned"]);
});

test("an aborted signal ends the wait", async () => {
  const stop = new AbortController();
  const engine = answering(pending);
  const call = waiting(engine, { signal: stop.signal });
  await pause(20);
  stop.abort();
  expect(await call).toBe(stop.signal.reason);
  await pause(300);
  expect(engine.polls_ms.length).toBe(0);
});

test("only what an operator alone can grant is asked for: for anything else the question would be the client's yes", async () => {
  for (const code of ["escalated", "unknown_escalated", "approval_pending", "a_code_of_tomorrow"]) {
    const engine = answering(granted);
    const call = { ...engine, evaluate: async () => decision(Verdict.ESCALATE, code, { approval_id: "ap_1" }) };
    expect(await waiting(call)).toBeInstanceOf(NotApprovedError);
    expect(engine.polls_ms).toEqual([]);
  }
});

test("without `wait`, without a call id, and without an approval's id nobody waits", async () => {
  for (const more of [{ escalate: "refuse" }, { callId: null }] as const) {
    const engine = answering(granted);
    expect(await waiting(engine, more)).toBeInstanceOf(NotApprovedError);
    expect(engine.polls_ms).toEqual([]);
  }
  const engine = { ...answering(granted), evaluate: async () => decision(Verdict.ESCALATE, "escalated_operator") };
  expect(await waiting(engine)).toBeInstanceOf(NotApprovedError);
});

test("settings that are none are refused when the guard is made", () => {
  const engine = answering(granted);
  const wrong: object[] = [
    { escalate: "allow" },
    { escalate: true },
    { escalateDeadline_ms: 0 },
    { escalateDeadline_ms: Number.NaN },
    { escalateDeadline_ms: Number.POSITIVE_INFINITY },
    { escalateDeadline_ms: 2 ** 31 },
    { escalateDeadline_ms: "5" },
    { onReplay: "yes" },
  ];
  for (const options of wrong) expect(() => guardToolMap({}, { engine, ...options })).toThrow(/^guard options: /);
  expect(() => guardToolMap({}, { engine: recordingEngine(), escalate: "wait" })).toThrow(/`resume` method/);
});

test("three calls at once, two of them gated, approved in reverse, with a restart between: every output is kept", async () => {
  const book = new ApprovalBook(["refund", "close_account"]);
  const first = await scripted(approving(book));
  const engine = engineFor(first.path);
  const ran: string[] = [];
  const tool = (name: string) => (args: object) => {
    ran.push(name);
    return { name, ...args };
  };
  const tools = guardToolMap(
    { refund: tool("refund"), lookup: tool("lookup"), close_account: tool("close_account") },
    { engine, escalate: "wait", escalateDeadline_ms: 20_000 },
  );
  const outputs = Promise.all([tools.refund({ eur: 1500 }), tools.lookup({ id: 7 }), tools.close_account({ id: 7 })]);
  while (book.kept.size < 2) await pause(5);
  book.settle("close_account", "granted");
  while (ran.length < 2) await pause(5);
  await first.stop();
  await pause(100);
  await scripted(approving(book), first.path);
  book.settle("refund", "granted");
  expect(await outputs).toEqual([
    { name: "refund", eur: 1500 },
    { name: "lookup", id: 7 },
    { name: "close_account", id: 7 },
  ]);
  expect(ran).toEqual(["lookup", "close_account", "refund"]);
});

test("a denied one among parallel calls takes no other with it", async () => {
  const book = new ApprovalBook(["refund"]);
  const engine = engineFor((await scripted(approving(book))).path);
  const tools = guardToolMap({ refund: () => "refunded", lookup: () => "found" }, { engine, escalate: "wait" });
  const outputs = Promise.allSettled([tools.refund(), tools.lookup()]);
  while (book.kept.size < 1) await pause(5);
  book.settle("refund", "denied");
  expect((await outputs).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
