import fc from "fast-check";
import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { guardToolMap, guardToolRunner } from "./guard-tools.ts";
import { reasonOf } from "./testing/asking.ts";
import { recordingEngine } from "./testing/recording-engine.ts";
import { toolView } from "./tool-arguments.ts";

/** Rewrites calls, lets results pass. */
const rewriting = (modified_args: object, replaces = false) =>
  recordingEngine(({ phase }) =>
    phase === "call"
      ? new Decision({ verdict: Verdict.MODIFY, modified_args: modified_args as never }, replaces)
      : Decision.allow(),
  );

const received = () => {
  const calls: unknown[][] = [];
  const tool = (...args: unknown[]): string => {
    calls.push(args);
    return "ran";
  };
  return { calls, tool };
};

test("a guarded map has the same keys, and its functions ask before they run and before they deliver", async () => {
  const engine = recordingEngine();
  const tools = guardToolMap({ add: ({ a, b }: { a: number; b: number }) => a + b }, { engine, principal: "p" });
  expect(Object.keys(tools)).toEqual(["add"]);
  expect(await tools.add({ a: 1, b: 2 })).toBe(3);
  expect(engine.events).toMatchObject([
    { action: "add", args: { a: 1, b: 2 }, phase: "call", principal: "p" },
    { action: "add", args: { result: 3 }, phase: "result", principal: "p" },
  ]);
  const [call, result] = engine.events;
  expect(call?.call_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(result?.call_id).toBe(call?.call_id);
  await tools.add({ a: 1, b: 2 });
  expect(engine.events[2]?.call_id).not.toBe(call?.call_id);
});

test("a blocked tool does not run; a blocked result is not delivered", async () => {
  const { calls, tool } = received();
  const blocksCalls = guardToolMap({ tool }, { engine: recordingEngine(() => Decision.block("no")) });
  await expect(blocksCalls.tool({})).rejects.toThrow(BlockedError);
  expect(calls).toEqual([]);
  const engine = recordingEngine(({ phase }) => (phase === "result" ? Decision.block("secret") : Decision.allow()));
  await expect(guardToolMap({ tool }, { engine }).tool({})).rejects.toThrow("secret");
  expect(calls).toEqual([[{}]]);
});

test("what the tool throws is the tool's, and no result is put to the guard", async () => {
  const engine = recordingEngine();
  const tools = guardToolMap({ fail: () => Promise.reject(new RangeError("boom")) }, { engine });
  await expect(tools.fail()).rejects.toThrow(RangeError);
  expect(engine.events.length).toBe(1);
});

test("name, length and this stay", async () => {
  const holder = guardToolMap(
    {
      me: function longName(this: unknown, _a: unknown, _b: unknown): unknown {
        return this === holder;
      },
    },
    { engine: recordingEngine() },
  );
  expect(holder.me.name).toBe("longName");
  expect(holder.me.length).toBe(2);
  expect(await holder.me({}, 1)).toBe(true);
});

test("guarding twice is guarding once", async () => {
  const engine = recordingEngine();
  const once = guardToolMap({ a: () => 1 }, { engine });
  const twice = guardToolMap(once, { engine });
  expect(twice.a).toBe(once.a);
  await twice.a();
  expect(engine.events.length).toBe(2);
});

test("a tool named __proto__ is a tool, and a value that is no function is refused", () => {
  const tools = JSON.parse('{"__proto__":1}');
  Object.defineProperty(tools, "__proto__", { value: () => 1, enumerable: true });
  expect(Object.keys(guardToolMap(tools, { engine: recordingEngine() }))).toEqual(["__proto__"]);
  expect(() => guardToolMap({ a: 1 } as never, { engine: recordingEngine() })).toThrow("'a' is not a function");
});

const views: [string, unknown[], object][] = [
  ["no arguments", [], {}],
  ["undefined alone", [undefined], {}],
  ["an object", [{ a: 1 }], { a: 1 }],
  [
    "an object with a key of the reserved name",
    [{ a: 1, positional_args: ["own"] }],
    { a: 1, positional_args: ["own"] },
  ],
  ["a text", ["x"], { input: "x" }],
  ["null", [null], { input: null }],
  ["an array", [[1, 2]], { input: [1, 2] }],
  ["an object and a context", [{ input: "x" }, "ctx"], { input: "x", positional_args: ["ctx"] }],
  ["a text and more", ["x", 1, { b: 2 }], { input: "x", positional_args: [1, { b: 2 }] }],
  ["the reserved name and a context", [{ positional_args: ["own"] }, "ctx"], { positional_args: ["ctx"] }],
  ["a context without a JSON form", [{ a: 1 }, new AbortController().signal], { a: 1 }],
  ["one of several without a JSON form", [{ a: 1 }, "ctx", () => 1], { a: 1 }],
  ["the reserved name and a context without a JSON form", [{ positional_args: [1], a: 1 }, () => 1], { a: 1 }],
  ["undefined and a context", [undefined, "ctx"], { positional_args: ["ctx"] }],
];

for (const [name, args, view] of views) {
  test(`the policy's view of ${name}, and what the tool receives`, async () => {
    const { calls, tool } = received();
    const engine = recordingEngine();
    await guardToolMap({ tool }, { engine }).tool(...args);
    expect(engine.events[0]?.args).toEqual(view);
    const [first, ...rest] = args;
    const isReserved = rest.length > 0 && typeof first === "object" && first !== null && "positional_args" in first;
    const { positional_args: _, ...kept } = (isReserved ? first : {}) as Record<string, unknown>;
    expect(calls[0]).toEqual(isReserved ? [kept, ...rest] : args);
    for (const [i, value] of rest.entries()) expect(calls[0]?.[i + 1]).toBe(value);
  });
}

test("a first argument that has no JSON form is refused here", async () => {
  const { calls, tool } = received();
  const { RemoteEngine } = await import("./remote-engine.ts");
  const tools = guardToolMap({ tool }, { engine: new RemoteEngine("/nowhere/g.sock") });
  expect(await reasonOf(tools.tool(() => 1))).toBe(
    "the arguments of 'tool' cannot be put to the guard: a function at input has no JSON form",
  );
  expect(calls).toEqual([]);
});

const rewrites: [string, unknown[], object, unknown[]][] = [
  ["a key of an object", [{ a: 1, b: 2 }], { a: 9 }, [{ a: 9, b: 2 }]],
  ["input", ["x", "ctx"], { input: "y" }, ["y", "ctx"]],
  ["the trailing arguments", [{ a: 1 }, "ctx", 2], { positional_args: ["safe"] }, [{ a: 1 }, "safe"]],
  ["trailing arguments that were not shown", [{ a: 1 }, () => 1], { positional_args: ["safe"] }, [{ a: 1 }, "safe"]],
  ["a call without arguments", [], { a: 1 }, [{ a: 1 }]],
  ["an object-only call, with trailing arguments", [{ a: 1 }], { positional_args: [2] }, [{ a: 1 }, 2]],
  [
    "a key of the reserved name of an object-only call",
    [{ positional_args: [1] }],
    { positional_args: [2] },
    [{ positional_args: [2] }],
  ],
];

for (const [name, args, rewrite, expected] of rewrites) {
  test(`a rewrite of ${name} reaches the tool`, async () => {
    const { calls, tool } = received();
    await guardToolMap({ tool }, { engine: rewriting(rewrite) }).tool(...args);
    expect(calls).toEqual([expected]);
  });
}

test("a rewrite that replaces removes keys and trailing arguments", async () => {
  const { calls, tool } = received();
  await guardToolMap({ tool }, { engine: rewriting({ a: 1 }, true) }).tool({ a: 1, b: 2 }, "ctx");
  expect(calls).toEqual([[{ a: 1 }]]);
});

test("a rewrite that makes positional_args something other than an array blocks", async () => {
  const { calls, tool } = received();
  const tools = guardToolMap({ tool }, { engine: rewriting({ positional_args: "x" }) });
  expect(await reasonOf(tools.tool({}, "ctx"))).toMatch(/positional_args/);
  expect(calls).toEqual([]);
});

test("whatever the arguments, an unchanged view gives them back, each in its place", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.constant(() => 1),
    fc.date(),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (args) => {
      const { view, toArguments } = toolView(args);
      const [first, ...rest] = args;
      const isReserved =
        rest.length > 0 && typeof first === "object" && first !== null && Object.hasOwn(first, "positional_args");
      fc.pre(!isReserved);
      expect(toArguments({ ...view })).toEqual(args);
    }),
  );
});

test("a runner asks before it runs, and passes on what comes after the arguments", async () => {
  const engine = rewriting({ path: "/tmp/q" });
  const run = guardToolRunner((name: string, args: Record<string, unknown>, signal: string) => [name, args, signal], {
    engine,
  });
  expect(await run("write", { path: "/etc/x", mode: 1 }, "ctx")).toEqual(["write", { path: "/tmp/q", mode: 1 }, "ctx"]);
  expect(engine.events).toMatchObject([
    { action: "write", args: { path: "/etc/x", mode: 1 }, phase: "call" },
    { action: "write", args: { result: ["write", { path: "/tmp/q", mode: 1 }, "ctx"] }, phase: "result" },
  ]);
  expect(engine.events[0]?.call_id).toBe(engine.events[1]?.call_id);
  expect(guardToolRunner(run as never, { engine })).toBe(run);
  expect(() => guardToolRunner(1 as never, { engine })).toThrow(TypeError);
});

test("a runner called without arguments runs with none", async () => {
  const run = guardToolRunner((_name: string, args: Record<string, unknown>) => args, { engine: recordingEngine() });
  expect(await run("ping")).toEqual({});
  expect(await run("ping", null)).toEqual({});
});

const judgedLater = () => {
  const { calls, tool } = received();
  const engine = recordingEngine();
  return { calls, tool, engine };
};

test("arguments that are changed while the guard is asked: what was judged runs", async () => {
  const { calls, tool, engine } = judgedLater();
  const args = { edits: [{ path: "/a" }], paths: ["/a"] };
  const running = guardToolMap({ tool }, { engine }).tool(args);
  (args.edits[0] as { path: string }).path = "/etc/shadow";
  args.paths[0] = "/etc/shadow";
  await running;
  expect(calls[0]).toEqual([{ edits: [{ path: "/a" }], paths: ["/a"] }]);
});

test("a getter and a proxy that answer anew each time: what was judged runs", async () => {
  const { calls, tool, engine } = judgedLater();
  const once = () => {
    let reads = 0;
    return () => (reads++ === 0 ? "/a" : "/etc/shadow");
  };
  const [read, readItem] = [once(), once()];
  const paths = new Proxy(["/a"], { get: (list, key) => (key === "0" ? readItem() : Reflect.get(list, key)) });
  const edit = {
    get path() {
      return read();
    },
  };
  await guardToolMap({ tool }, { engine }).tool({ edits: [edit], paths });
  expect(engine.events[0]?.args).toEqual({ edits: [{ path: "/a" }], paths: ["/a"] });
  expect(calls[0]).toEqual([{ edits: [{ path: "/a" }], paths: ["/a"] }]);
});

test("a dispatcher's arguments that are changed while the guard is asked: what was judged runs", async () => {
  const engine = recordingEngine();
  const args = { edits: [{ path: "/a" }] };
  const running = guardToolRunner((_name, given) => given, { engine })("edit", args);
  (args.edits[0] as { path: string }).path = "/etc/shadow";
  expect(await running).toEqual({ edits: [{ path: "/a" }] });
});

test("a getter that throws: nothing runs, and its message is not told", async () => {
  const { calls, tool, engine } = judgedLater();
  const args = {
    get path(): string {
      throw new Error("secret");
    },
  };
  const refused = await guardToolMap({ tool }, { engine })
    .tool(args)
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BlockedError);
  expect(String(refused)).not.toContain("secret");
  expect([calls, engine.events]).toEqual([[], []]);
});

test("bytes that a tool is given to fill stay the caller's", async () => {
  const { tool, calls, engine } = judgedLater();
  const buffer = new Uint8Array(4);
  await guardToolMap({ tool }, { engine }).tool({ buffer });
  expect((calls as [[{ buffer: unknown }]])[0][0].buffer).toBe(buffer);
});
