import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError, ReplayedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { enforceToolResult } from "./enforce-result.ts";
import type { Engine } from "./guard-options.ts";
import { resumeToolCall } from "./resume-call.ts";
import { ApprovalBook, approving, detailsOf } from "./testing/approving-daemon.ts";
import { engineFor, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, everyFeature, judging, type Script, socketPath, welcome } from "./testing/scripted-daemon.ts";

const gated = async () => {
  const book = new ApprovalBook(["refund"]);
  const daemon = await scripted(approving(book));
  return { book, engine: engineFor(daemon.path) };
};

const thrown = (call: Promise<unknown>): Promise<NotApprovedError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

test("a call that an operator has to approve: its error carries what resumes it, and the grant is used up once", async () => {
  const { book, engine } = await gated();
  const options = { engine, callId: "call-1" };
  const error = await thrown(enforceToolCall("refund", { eur: 1500 }, options));
  expect(error).toMatchObject({ name: "NotApprovedError", approvalId: "ap_1", callId: "call-1" });
  expect(error.message).toBe("blocked action 'refund': ask (an operator has to approve it, approval ap_1)");
  const approval = { approvalId: "ap_1", callId: "call-1" };

  const early = await thrown(resumeToolCall("refund", approval, options));
  expect(early).toBeInstanceOf(NotApprovedError);
  expect(early).toMatchObject({ approvalId: "ap_1", callId: "call-1" });
  expect(early.message).toBe("blocked action 'refund': ask (it is not approved yet, approval ap_1)");

  book.settle("refund", "granted");
  expect(await resumeToolCall("refund", approval, options)).toEqual({ eur: 1500 });
  expect(await enforceToolResult("refund", "paid", options)).toBe("paid");
  expect(book.of("resume")).toEqual(Array(2).fill({ action: "refund", approval_id: "ap_1", call_id: "call-1" }));
  expect(book.of("event").map(({ call_id }) => call_id)).toEqual(["call-1", "call-1"]);
  expect(await reasonOf(resumeToolCall("refund", approval, options))).toBe("it is used");
});

test("an approval's arguments never reach another action", async () => {
  const { book, engine } = await gated();
  await thrown(enforceToolCall("refund", { eur: 1500 }, { engine, callId: "c" }));
  book.settle("refund", "granted");
  const approval = { approvalId: "ap_1", callId: "c" };
  expect(await reasonOf(resumeToolCall("pay_out", approval, { engine }))).toBe("another call");
});

const refusals: Record<string, { answer: object; reason: RegExp }> = {
  "an ALLOW, which has no arguments": { answer: {}, reason: /did not say with which arguments/ },
  "a MODIFY without arguments": { answer: { verdict: 2 }, reason: /without the whole of its arguments/ },
  "a BLOCK": {
    answer: { verdict: 1, reason: "it is denied", details: detailsOf("approval_denied") },
    reason: /^it is denied$/,
  },
  "an error frame": { answer: { error: { code: "not_available", message: "no" } }, reason: /\(not_available\)/ },
};
for (const [name, { answer, reason }] of Object.entries(refusals)) {
  test(`a resume that is answered with ${name} runs nothing`, async () => {
    const daemon = await scripted(judging(() => answer));
    const engine = engineFor(daemon.path);
    expect(await reasonOf(resumeToolCall("refund", { approvalId: "ap", callId: "c" }, { engine }))).toMatch(reason);
  });
}

test("a daemon without `replace_args` cannot say which arguments were approved", async () => {
  const features = everyFeature.filter((name) => name !== "replace_args");
  const daemon = await scripted(judging(() => ({ verdict: 2, modified_args: { eur: 1 } }), features));
  const engine = engineFor(daemon.path);
  expect(await reasonOf(resumeToolCall("refund", { approvalId: "ap", callId: "c" }, { engine }))).toMatch(
    /without the whole of its arguments/,
  );
});

test("a call that was resumed and ran is answered with its result", async () => {
  const details = detailsOf("replayed", { replayed: true, transaction_id: "tx_1" });
  const daemon = await scripted(judging(() => ({ verdict: 1, modified_result: { result: "paid" }, details })));
  const engine = engineFor(daemon.path);
  const error = await thrown(resumeToolCall("refund", { approvalId: "ap", callId: "c" }, { engine }));
  expect(error).toBeInstanceOf(ReplayedError);
  expect(error).toMatchObject({ result: "paid", transactionId: "tx_1" });
});

test("ids that are none are refused here, and nothing is sent", async () => {
  const daemon = await scripted(judging(() => ({})));
  const engine = engineFor(daemon.path);
  const wrong: [unknown, unknown, unknown][] = [
    ["", "c", "a"],
    ["ap", "", "a"],
    ["ap", "c", ""],
    [7, "c", "a"],
    ["ap", undefined, "a"],
    ["x".repeat(1025), "c", "a"],
  ];
  for (const [approvalId, callId, action] of wrong) {
    const call = engine.resume(approvalId as string, { callId: callId as string, action: action as string });
    expect(await reasonOf(call)).toMatch(/^the approval of '\w*' cannot be put to the guard: /);
  }
  expect(daemon.peers).toEqual([]);
  expect(engine.stats.local).toBe(wrong.length);
});

test("a daemon that keeps no transactions is not asked", async () => {
  const features = everyFeature.filter((name) => name !== "call_id");
  const daemon = await scripted(judging(() => ({}), features));
  const engine = engineFor(daemon.path);
  expect(await reasonOf(engine.resume("ap", { callId: "c" }))).toMatch(/this daemon keeps no transactions/);
});

test("nobody is there: a resume is blocked, also where absence is allowed", async () => {
  const engine = engineFor(socketPath(), { unreachable: "allow", grace_ms: 0, onFallback: () => expect.unreachable() });
  expect(await reasonOf(engine.resume("ap", { callId: "c" }))).toMatch(/unreachable/);
  expect(engine.fallbacks).toBe(0);
});

test("a resume that lost its connection is asked once more, in the same words: the daemon that granted it says so again", async () => {
  const lines: string[] = [];
  const dies =
    (features: readonly string[]): Script =>
    async (peer, connection) => {
      await welcome(peer, features);
      for (let line = await peer.line(); line !== null; line = await peer.line()) {
        lines.push(line);
        if (connection === 1) peer.socket.destroy();
        else peer.send(answerTo(JSON.parse(line).id, { verdict: 2, modified_args: { eur: 1 } }));
      }
    };
  const approval = { approvalId: "ap", callId: "c" };
  const engine = engineFor((await scripted(dies(everyFeature))).path);
  expect(await resumeToolCall("refund", approval, { engine })).toEqual({ eur: 1 });
  expect(lines[1]).toBe(lines[0]);
  expect(engine.stats).toMatchObject({ resent: 1, answered: 1 });
  const forgetful = everyFeature.filter((name) => name !== "resend");
  const other = engineFor((await scripted(dies(forgetful))).path);
  expect(await reasonOf(resumeToolCall("refund", approval, { engine: other }))).toMatch(/daemon closed the connection/);
  expect(lines.length).toBe(3);
});

test("an engine that cannot resume runs nothing", async () => {
  const engine: Engine = { evaluate: async () => Decision.allow() };
  const error = await thrown(resumeToolCall("refund", { approvalId: "ap", callId: "c" }, { engine }));
  expect(error).toBeInstanceOf(BlockedError);
  expect(error.decision.reason).toMatch(/cannot resume/);
});

/** Answers calls with an escalation that the client may approve, and resumes with these arguments. */
const clientApproves = (runs: object, details: object = {}) => {
  const asked: string[] = [];
  const engine: Engine & { asked: string[] } = {
    asked,
    evaluate: async () =>
      new Decision({
        verdict: Verdict.ESCALATE,
        details: detailsOf("escalated", { approval_id: "ap_1" }) as never,
      }),
    resume: async (id, { callId, action }) => {
      asked.push(`${id} ${callId} ${action}`);
      return new Decision(
        {
          verdict: Verdict.MODIFY,
          modified_args: runs as never,
          details: detailsOf("allowed", { transaction_id: "tx_2", ...details }) as never,
        },
        true,
      );
    },
    outcome: async ({ status }) => {
      asked.push(status);
      return Decision.allow();
    },
  };
  return engine;
};

test("where the client may approve, its yes resumes the call, and only its yes does", async () => {
  const engine = clientApproves({ eur: 5, tags: ["a", "b"] });
  const args = { eur: 5, tags: new Set(["b", "a"]) };
  for (const escalate of ["refuse", "wait"] as const) {
    const options = { engine, callId: "c", escalate };
    await thrown(enforceToolCall("refund", args, { ...options, onEscalate: () => false }));
    expect((await thrown(enforceToolCall("refund", args, options))).message).toMatch(/no `onEscalate`/);
    expect(engine.asked).toEqual([]);
  }
  const onEscalate = ({ approvalId }: { approvalId: string | null }): boolean => approvalId === "ap_1";
  expect(await enforceToolCall("refund", args, { engine, callId: "c", onEscalate })).toEqual({
    eur: 5,
    tags: ["a", "b"],
  });
  expect(engine.asked).toEqual(["ap_1 c refund"]);
});

test("a call that would run otherwise than it was shown is abandoned", async () => {
  const engine = clientApproves({ eur: 5000 });
  const error = await thrown(enforceToolCall("refund", { eur: 5 }, { engine, callId: "c", onEscalate: () => true }));
  expect(error.message).toMatch(/what would run now is not what was approved/);
  expect(engine.asked).toEqual(["ap_1 c refund", "abandoned"]);
});

test("an approved call without an id, or by an engine that cannot resume, does not run", async () => {
  const { resume: _, ...cannot } = clientApproves({ eur: 5 });
  const onEscalate = () => true;
  const without = await thrown(
    enforceToolCall("refund", { eur: 5 }, { engine: clientApproves({ eur: 5 }), onEscalate }),
  );
  expect(without.message).toMatch(/without an id cannot be resumed/);
  const error = await thrown(enforceToolCall("refund", { eur: 5 }, { engine: cannot, callId: "c", onEscalate }));
  expect(error.message).toMatch(/cannot resume/);
});

test("field errors of a contract are on the decision, and the message stays one line", async () => {
  const errors = [{ loc: "eur", msg: "expected a number", type: "invalid_type" }];
  const daemon = await scripted(
    judging(() => ({
      verdict: 1,
      reason: "the arguments do not fit",
      details: detailsOf("evidence_failed", { errors }),
    })),
  );
  const error = await thrown(enforceToolCall("refund", { eur: "9999" }, { engine: engineFor(daemon.path) }));
  expect(error.decision.errors).toEqual(errors);
  expect(Object.isFrozen(error.decision.errors)).toBe(true);
  expect(error.message).toBe("blocked action 'refund': the arguments do not fit");
  expect(Decision.block("no").errors).toEqual([]);
});
