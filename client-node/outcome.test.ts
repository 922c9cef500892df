import { expect, test } from "vitest";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { guardMcpSession } from "./guard-mcp-session.ts";
import type { Engine } from "./guard-options.ts";
import { guardToolMap, guardToolRunner } from "./guard-tools.ts";
import { reportOutcome } from "./outcome.ts";
import { ApprovalBook, approving, detailsOf } from "./testing/approving-daemon.ts";
import { engineFor, pause, reasonOf, scripted } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";
import { answerTo, everyFeature, judging, socketPath, welcome } from "./testing/scripted-daemon.ts";

const authorizing = async () => {
  const book = new ApprovalBook([]);
  const daemon = await scripted(approving(book));
  return { book, engine: engineFor(daemon.path) };
};

class CardDeclined extends Error {
  override readonly name = "CardDeclined";
}

const declined = (): never => {
  throw new CardDeclined("card 4111 1111");
};

test("a tool that throws is reported as failed, by its error's class alone, and its error is what the caller gets", async () => {
  const { book, engine } = await authorizing();
  await expect(guardToolMap({ pay: declined }, { engine }).pay()).rejects.toThrow(CardDeclined);
  await expect(guardToolRunner(declined, { engine })("pay", {})).rejects.toThrow(CardDeclined);
  await expect(guardToolMap({ pay: async () => Promise.reject("a text") }, { engine }).pay()).rejects.toBe("a text");
  const ids = book.of("event").map(({ call_id }) => call_id);
  expect(book.of("outcome")).toEqual([
    { call_id: ids[0], status: "failed", error_type: "CardDeclined" },
    { call_id: ids[1], status: "failed", error_type: "CardDeclined" },
    { call_id: ids[2], status: "failed", error_type: "string" },
  ]);
  expect(engine.stats).toMatchObject({ reported: 3, unreported: 0, answered: 3, unanswered: 0 });
});

test("an error's name that no class could have is not told", async () => {
  const { book, engine } = await authorizing();
  const names = ["card 4111 1111", "", "x".repeat(65), "naïve", 7];
  for (const name of names) {
    const fails = () => Promise.reject(Object.assign(new Error("x"), { name }));
    await expect(guardToolMap({ pay: fails }, { engine }).pay()).rejects.toThrow();
  }
  expect(book.of("outcome").map(({ error_type }) => error_type)).toEqual(names.map(() => "Error"));
});

test("a call without a transaction, and one that was blocked, cost no second frame", async () => {
  const daemon = await scripted(
    judging(({ action }) => (action === "bad" ? { verdict: 1 } : { details: detailsOf("unknown_allowed") })),
  );
  const engine = engineFor(daemon.path);
  await expect(guardToolMap({ pay: declined }, { engine }).pay()).rejects.toThrow(CardDeclined);
  await reasonOf(guardToolMap({ bad: declined }, { engine }).bad());
  expect(daemon.peers[0]?.lines.length).toBe(3);
  expect(engine.stats).toMatchObject({ reported: 0, unreported: 0 });
});

test("an error that was cut short leaves open whether the effect came about, and is not reported", async () => {
  const { book, engine } = await authorizing();
  const cut = [
    AbortSignal.abort().reason,
    Object.assign(new Error("x"), { name: "TimeoutError" }),
    Object.assign(new Error("x"), { code: "ECONNRESET" }),
    new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "UND_ERR_HEADERS_TIMEOUT" }) }),
  ];
  for (const error of cut) {
    await expect(guardToolMap({ pay: () => Promise.reject(error) }, { engine }).pay()).rejects.toBe(error);
  }
  expect(book.of("outcome")).toEqual([]);
});

test("a call whose arguments cannot be applied is abandoned", async () => {
  const book: object[] = [];
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      book.push(frame);
      const rewrite = { verdict: 2, modified_args: { positional_args: "none" }, details: detailsOf("rewritten", tx) };
      peer.send(answerTo(frame.id, frame.event === undefined ? {} : rewrite));
    }
  });
  const engine = engineFor(daemon.path);
  const tools = guardToolMap({ add: (_a: object, _b: number): never => expect.unreachable() }, { engine });
  expect(await reasonOf(tools.add({ a: 1 }, 2))).toMatch(/positional_args/);
  expect(book).toMatchObject([{ event: {} }, { outcome: { status: "abandoned" } }]);
});
const tx = { transaction_id: "tx_1" };

test("a call whose signal was aborted while it was judged is abandoned, and does not run", async () => {
  const { book, engine } = await authorizing();
  const stop = new AbortController();
  const client = guardMcpSession(
    { callTool: async (..._: unknown[]): Promise<never> => expect.unreachable() },
    { engine },
  );
  const call = client.callTool({ name: "pay", arguments: {} }, undefined, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toBe(stop.signal.reason);
  expect(book.of("outcome")).toMatchObject([{ status: "abandoned" }]);
  const late = enforceToolCall("pay", {}, { engine, callId: "c", signal: stop.signal });
  await expect(late).rejects.toBe(stop.signal.reason);
  expect(book.of("event").length).toBe(1);
});

test("an MCP server's own error is a failure; a timeout, a lost connection and a refused result are not", async () => {
  const { book, engine } = await authorizing();
  const codes = [-32603, -32601, -32000, -32001, -32600, -32602, "REQUEST_TIMEOUT", undefined];
  for (const code of codes) {
    const error = Object.assign(new Error("x"), { code });
    const client = guardMcpSession({ callTool: (_: object): Promise<never> => Promise.reject(error) }, { engine });
    await expect(client.callTool({ name: "pay" })).rejects.toBe(error);
  }
  expect(book.of("outcome").length).toBe(2);
});

test("an MCP result with `isError` is a failure, and is still judged and delivered", async () => {
  const { book, engine } = await authorizing();
  const result = { isError: true, content: [{ type: "text", text: "no funds" }] };
  const client = guardMcpSession({ callTool: async (_: object) => result }, { engine });
  expect(await client.callTool({ name: "pay" })).toBe(result);
  expect(book.frames.map((frame) => Object.keys(frame)[0])).toEqual(["event", "outcome", "event"]);
  expect(book.of("outcome")).toMatchObject([{ status: "failed", error_type: "ToolError" }]);
});

test("a failure to report hides no error of the tool's, and is counted", async () => {
  const path = socketPath();
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const { id } = await peer.next();
    peer.send(answerTo(id, { details: detailsOf("allowed", { transaction_id: "tx_1" }) }));
    await peer.next();
    peer.send("{nope}\n");
  }, path);
  const engine = engineFor(daemon.path);
  await expect(guardToolMap({ pay: declined }, { engine }).pay()).rejects.toThrow(CardDeclined);
  expect(engine.stats).toMatchObject({ reported: 0, unreported: 1, unanswered: 0 });
});

test("an outcome that the daemon does not know a call for is counted as not reported", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      peer.send(answerTo(frame.id, { verdict: 1, details: detailsOf("outcome_unmatched") }));
    }
  });
  const engine = engineFor(daemon.path);
  expect(await reportOutcome({ status: "abandoned" }, { engine, callId: "c" })).toBe(false);
  expect(engine.stats).toMatchObject({ reported: 0, unreported: 1, answered: 0 });
});

test("reportOutcome by hand: recorded, and never rejected", async () => {
  const { book, engine } = await authorizing();
  const options = { engine, callId: "c-1" };
  await enforceToolCall("pay", {}, options);
  expect(await reportOutcome({ status: "failed", error: new CardDeclined("x") }, options)).toBe(true);
  expect(book.of("outcome")).toEqual([{ call_id: "c-1", status: "failed", error_type: "CardDeclined" }]);
  expect(await reportOutcome({ status: "failed", error: 1 }, { engine })).toBe(false);
  expect(await reportOutcome({ status: "failed", error: 1 }, { engine: recordingEngine(), callId: "c" })).toBe(false);
  const throwing: Engine = {
    evaluate: async () => Decision.allow(),
    outcome: () => {
      throw new Error("x");
    },
  };
  expect(await reportOutcome({ status: "abandoned" }, { engine: throwing, callId: "c" })).toBe(false);
  expect(await reportOutcome({ status: "done" } as never, { engine, callId: "c" })).toBe(false);
  expect(await reportOutcome({ status: "abandoned" }, { engine, callId: "" })).toBe(false);
  expect(await reportOutcome({ status: "abandoned" }, undefined as never).catch(() => "rejected")).toBe(false);
  expect(book.of("outcome").length).toBe(1);
  expect(engine.stats).toMatchObject({ unreported: 2, local: 0 });
});

test("a daemon that keeps no transactions is told nothing", async () => {
  const daemon = await scripted(
    judging(
      () => ({}),
      everyFeature.filter((name) => name !== "call_id"),
    ),
  );
  const engine = engineFor(daemon.path, { unreachable: "allow" });
  await engine.evaluate({ action: "hello" });
  const error = await engine.outcome({ call_id: "c", status: "abandoned", error_type: null }).catch((e) => e);
  expect(error).toBeInstanceOf(BlockedError);
  expect(error.decision.reason).toMatch(/^the outcome of 'outcome' cannot be put to the guard: this daemon keeps no/);
  expect(daemon.peers[0]?.lines.length).toBe(2);
});

test("an outcome keeps its place: it is with the daemon before the caller has the tool's error", async () => {
  const { book, engine } = await authorizing();
  const tools = guardToolMap({ pay: declined }, { engine });
  await tools.pay().catch(() => {});
  expect(book.of("outcome").length).toBe(1);
});

test("a call that is let run after its caller gave up is abandoned; a plain one, a blocked one and a result are not", async () => {
  const late = {
    authorized: { details: detailsOf("allowed", { transaction_id: "tx_1" }) },
    rewritten: { verdict: 2, modified_args: {}, details: detailsOf("rewritten", { transaction_id: "tx_2" }) },
    plain: { details: detailsOf("unknown_allowed") },
    refused: { verdict: 1, details: detailsOf("policy_denied", { transaction_id: "tx_3" }) },
    awaited: { verdict: 3, details: detailsOf("escalated_operator", { transaction_id: "tx_4", approval_id: "ap_4" }) },
    result: { details: detailsOf("unknown_allowed", { transaction_id: "tx_5" }) },
  };
  const names = Object.keys(late) as (keyof typeof late)[];
  const told: object[] = [];
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const asked = [];
    while (asked.length < names.length) asked.push(await peer.next());
    await pause(150);
    for (const { id, event } of asked) peer.send(answerTo(id, late[event.action as keyof typeof late]));
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      told.push(frame.outcome);
      peer.send(answerTo(frame.id));
    }
  });
  const engine = engineFor(daemon.path, { timeout: 0.1 });
  const ask = (action: string) =>
    engine.evaluate({ action, call_id: `c-${action}`, phase: action === "result" ? "result" : "call" });
  await Promise.all(names.map((name) => reasonOf(ask(name))));
  while (engine.stats.reported < 2) await pause(5);
  await pause(20);
  expect(told).toEqual([
    { call_id: "c-authorized", status: "abandoned" },
    { call_id: "c-rewritten", status: "abandoned" },
  ]);
  expect(engine.stats).toMatchObject({ timeouts: names.length, reported: 2, unreported: 0, answered: 0 });
});
