import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError, NotApprovedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { enforceToolResult } from "./enforce-result.ts";
import { engineFor, reasonOf, scripted } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";
import { judging, socketPath } from "./testing/scripted-daemon.ts";

const answering = (decision: Decision) => recordingEngine(() => decision);

test("ALLOW: a shallow copy of the arguments", async () => {
  const engine = recordingEngine();
  const args = { path: "/a", nested: { deep: 1 } };
  const copy = await enforceToolCall("read", args, {
    engine,
    principal: "p",
    parentPrincipal: "pp",
    spanId: "s",
    callId: "c",
  });
  expect(copy).toEqual(args);
  expect(copy).not.toBe(args);
  expect(copy.nested).toBe(args.nested);
  expect(engine.events).toEqual([
    {
      action: "read",
      args,
      phase: "call",
      principal: "p",
      parent_principal: "pp",
      span_id: "s",
      call_id: "c",
      grade: "async/enforce",
      server: null,
      ts: expect.any(Number),
    },
  ]);
});

test("no arguments are an empty object", async () => {
  const engine = recordingEngine();
  expect(await enforceToolCall("ping", null, { engine })).toEqual({});
  expect(await enforceToolCall("ping", undefined, { engine })).toEqual({});
  expect(engine.events.map(({ args }) => args)).toEqual([{}, {}]);
});

test("arguments that are not a plain object are refused here", async () => {
  const engine = recordingEngine();
  for (const args of [[1], "x", 5, true, new Date(), new (class Args {})(), () => 1]) {
    expect(await reasonOf(enforceToolCall("a", args as never, { engine }))).toBe(
      "the arguments of 'a' cannot be put to the guard: they are not a plain object",
    );
  }
  expect(engine.events).toEqual([]);
});

test("BLOCK: an error that says which call and why", async () => {
  const decision = Decision.block("etc is off limits", "p.no-etc", "path");
  const error = await enforceToolCall("read_file", { path: "/etc/passwd" }, { engine: answering(decision) }).catch(
    (e) => e,
  );
  expect(error).toBeInstanceOf(BlockedError);
  expect(error).not.toBeInstanceOf(NotApprovedError);
  expect(error).toMatchObject({ name: "BlockedError", action: "read_file", decision });
  expect(error.message).toBe("blocked action 'read_file': etc is off limits");
  expect(decision.verdictName).toBe("BLOCK");
});

test("MODIFY: merged over the copy, top-level keys only", async () => {
  const engine = answering(Decision.modify({ path: "/tmp/q", opts: { a: 1 } }));
  const args = { path: "/etc/hosts", opts: { b: 2 }, mode: 7 };
  expect(await enforceToolCall("write", args, { engine })).toEqual({ path: "/tmp/q", opts: { a: 1 }, mode: 7 });
  expect(args.path).toBe("/etc/hosts");
});

test("MODIFY without arguments, or with none, changes nothing", async () => {
  expect(await enforceToolCall("a", { x: 1 }, { engine: answering(Decision.modify({})) })).toEqual({ x: 1 });
  const none = new Decision({ verdict: Verdict.MODIFY });
  expect(await enforceToolCall("a", { x: 1 }, { engine: answering(none) })).toEqual({ x: 1 });
});

test("MODIFY with replace_args negotiated: a removed key is removed", async () => {
  const daemon = await scripted(judging(() => ({ verdict: 2, modified_args: { keep: 1 } })));
  const engine = engineFor(daemon.path);
  expect(await enforceToolCall("a", { keep: 1, drop: 2 }, { engine })).toEqual({ keep: 1 });
  const merging = await scripted(judging(() => ({ verdict: 2, modified_args: { keep: 2 } }), ["resend"]));
  expect(await enforceToolCall("a", { keep: 1, drop: 2 }, { engine: engineFor(merging.path) })).toEqual({
    keep: 2,
    drop: 2,
  });
});

test("an own __proto__ key survives copying, merging and replacing", async () => {
  const args = JSON.parse('{"__proto__":{"admin":false},"a":1}');
  const same = await enforceToolCall("a", args, { engine: recordingEngine() });
  expect(Object.keys(same)).toEqual(["__proto__", "a"]);
  expect(Object.getPrototypeOf(same)).toBe(Object.prototype);
  const merged = await enforceToolCall("a", { b: 1 }, { engine: answering(Decision.modify(args)) });
  expect(JSON.stringify(merged)).toBe('{"b":1,"__proto__":{"admin":false},"a":1}');
  expect((merged as { admin?: unknown }).admin).toBeUndefined();
});

test("an unknown verdict blocks, on both sides", async () => {
  for (const verdict of [4, -1, "ALLOW", true, null, undefined, 0.5]) {
    const engine = { evaluate: async () => ({ ...Decision.allow(), verdict }) as never };
    expect(await reasonOf(enforceToolCall("a", {}, { engine }))).toMatch(/unknown verdict/);
    expect(await reasonOf(enforceToolResult("a", {}, { engine }))).toMatch(/unknown verdict/);
  }
});

test("an engine that throws, or answers nothing, blocks", async () => {
  const throws = { evaluate: async () => Promise.reject(new RangeError("secret")) };
  expect(await reasonOf(enforceToolCall("a", {}, { engine: throws }))).toBe(
    "the guard engine gave no verdict: RangeError",
  );
  const nothing = { evaluate: async () => undefined as never };
  expect(await reasonOf(enforceToolCall("a", {}, { engine: nothing }))).toBe("the guard engine gave no verdict");
  const junk = { evaluate: async () => ({ ...Decision.modify({}), modified_args: [] }) as never };
  expect(await reasonOf(enforceToolCall("a", {}, { engine: junk }))).toMatch(/not an object/);
});

test("monitor: verdicts are asked for and ignored, rewrites too", async () => {
  for (const decision of [Decision.block("no"), Decision.modify({ a: 2 }), Decision.escalate("?")]) {
    const engine = answering(decision);
    expect(await enforceToolCall("a", { a: 1 }, { engine, enforcement: "monitor" })).toEqual({ a: 1 });
    expect(engine.events.length).toBe(1);
  }
  const result = { b: 1 };
  for (const decision of [Decision.block("no"), Decision.modifyResult("r"), Decision.escalate("?")]) {
    const engine = answering(decision);
    expect(await enforceToolResult("a", result, { engine, enforcement: "monitor" })).toBe(result);
    expect(engine.events.length).toBe(1);
  }
});

test("a rewrite of the other side of the call is not taken for none: it blocks", async () => {
  const result = answering(Decision.modifyResult("r"));
  expect(await reasonOf(enforceToolCall("a", {}, { engine: result }))).toMatch(/not of a call/);
  const args = answering(Decision.modify({ a: 1 }));
  expect(await reasonOf(enforceToolResult("a", {}, { engine: args }))).toMatch(/not of a result/);
});

test("monitor: an engine without a verdict still blocks", async () => {
  const engine = engineFor(socketPath(), { grace_ms: 0 });
  expect(await reasonOf(enforceToolCall("a", {}, { engine, enforcement: "monitor" }))).toMatch(/unreachable/);
  expect(await reasonOf(enforceToolResult("a", {}, { engine, enforcement: "monitor" }))).toMatch(/unreachable/);
});

test("options that are misspelled are refused, not ignored", async () => {
  const engine = recordingEngine();
  await expect(enforceToolCall("a", {}, { engine, enforcement: "Monitor" } as never)).rejects.toThrow(TypeError);
  await expect(enforceToolCall("a", {}, { engine, onEscalate: true } as never)).rejects.toThrow(TypeError);
  await expect(enforceToolResult("a", {}, {} as never)).rejects.toThrow(TypeError);
  await expect(enforceToolCall("a", {}, undefined as never)).rejects.toThrow(TypeError);
  expect(engine.events).toEqual([]);
});

test("a plain result is judged as it is, anything else as {result}", async () => {
  const engine = recordingEngine();
  const object = { title: "a" };
  expect(await enforceToolResult("r", object, { engine, callId: "c" })).toBe(object);
  const list = [1, 2];
  expect(await enforceToolResult("r", list, { engine })).toBe(list);
  expect(await enforceToolResult("r", "text", { engine })).toBe("text");
  expect(await enforceToolResult("r", null, { engine })).toBeNull();
  expect(await enforceToolResult("r", undefined, { engine })).toBeUndefined();
  const bytes = Buffer.from("x");
  expect(await enforceToolResult("r", bytes, { engine })).toBe(bytes);
  expect(engine.events.map(({ args }) => args)).toEqual([
    object,
    { result: list },
    { result: "text" },
    { result: null },
    { result: null },
    { result: bytes },
  ]);
  expect(engine.events[0]).toMatchObject({ phase: "result", call_id: "c" });
});

test("a result's BLOCK and ESCALATE are not delivered", async () => {
  expect(await reasonOf(enforceToolResult("r", 1, { engine: answering(Decision.block("secret in it")) }))).toBe(
    "secret in it",
  );
  const call = enforceToolResult("r", 1, { engine: answering(Decision.escalate("?")), onEscalate: () => true });
  expect(await reasonOf(call)).toBe("?");
});

test("a result's MODIFY replaces it whole; null keeps it, and false, 0 and the empty text do not", async () => {
  const replaced = (value: unknown) =>
    enforceToolResult("r", "old", { engine: answering(Decision.modifyResult(value as never)) });
  expect(await replaced({ title: "a" })).toEqual({ title: "a" });
  expect(await replaced(null)).toBe("old");
  expect(await replaced(false)).toBe(false);
  expect(await replaced(0)).toBe(0);
  expect(await replaced("")).toBe("");
});

test.each([
  ["blocking", "async/enforce"],
  ["monitor", "async/monitor"],
] as const)(
  "with enforcement %s the engine is told the grade %s, of calls and of results",
  async (enforcement, grade) => {
    const told: unknown[] = [];
    const engine = {
      evaluate: async (event: { readonly grade: unknown }) => {
        told.push(event.grade);
        return Decision.allow();
      },
    };
    await enforceToolCall("read", {}, { engine, enforcement });
    await enforceToolResult("read", 1, { engine, enforcement });
    expect(told).toEqual([grade, grade]);
  },
);
