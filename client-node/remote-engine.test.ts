import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { MAX_LINE, maxInFlightRequests } from "../wire/limits.ts";
import { BlockedError } from "./blocked-error.ts";
import { maxWaitingQuestions } from "./limits.ts";
import { probe } from "./probe.ts";
import { RemoteEngine } from "./remote-engine.ts";
import { engineFor, pause, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, judging, type Peer, socketPath, welcome } from "./testing/scripted-daemon.ts";

const sourceOf = (name: string): string => new URL(name, import.meta.url).href;

test("the first frame is a hello with a nonce; events follow only when it is answered", async () => {
  const daemon = await scripted(async (peer) => {
    await peer.line();
    await pause(30);
    expect(peer.lines.length).toBe(1);
    peer.send({
      hello: { daemon: "d/1", features: [], max_frame: 8388608, mode: "enforce", rules: "r", rules_version: 0 },
      id: "h",
      v: 1,
    });
    peer.send(answerTo((await peer.next()).id, {}, false));
  });
  await engineFor(daemon.path, { token: "t0" }).evaluate({ action: "a" });
  expect(JSON.parse(daemon.peers[0]?.lines[0] as string)).toEqual({
    hello: {
      client: `interlock-guard/1.0.0 node/${process.versions.node}`,
      features: ["call_id", "details", "escalate", "escape", "grade", "replace_args", "replay", "resend", "surface"],
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      token: "t0",
    },
    id: "h",
    v: 1,
  });
});

test("how a call is intercepted is told a daemon that agreed to be told, and no other", async () => {
  for (const features of [["grade"], []]) {
    const daemon = await scripted(judging(() => ({}), features));
    await engineFor(daemon.path).evaluate({ action: "a", grade: "async/monitor" });
    const event = JSON.parse(daemon.peers[0]?.lines[1] as string).event;
    expect(event.grade).toBe(features.includes("grade") ? "async/monitor" : undefined);
  }
});

test("a grade that is none is refused before anything is sent", async () => {
  const daemon = await scripted(judging(() => ({})));
  const grade = "async" as "async/enforce";
  expect(await reasonOf(engineFor(daemon.path).evaluate({ action: "a", grade }))).toContain("the grade is not one of");
});

test("an event on the wire, byte for byte", async () => {
  const daemon = await scripted(judging(() => ({})));
  const engine = engineFor(daemon.path, { principal: "acme/agent42" });
  await engine.evaluate({
    action: "read_file",
    args: { path: "/a", b: Buffer.from([0, 1, 255]) },
    ts: 1.5,
    call_id: "c1",
  });
  await engine.evaluate({
    action: "ping",
    phase: "result",
    principal: "other",
    span_id: "s",
    parent_principal: "p",
    ts: 2,
  });
  expect(daemon.peers[0]?.lines.slice(1)).toEqual([
    `{"event":{"action":"read_file","args":{"b":{"__interlock__":"bytes","b64":"AAH/"},"path":"/a"},"call_id":"c1","phase":"call","principal":"acme/agent42","ts":1.5},"id":"op-${process.pid}-1","v":1}`,
    `{"event":{"action":"ping","args":{},"parent_principal":"p","phase":"result","principal":"other","span_id":"s","ts":2},"id":"op-${process.pid}-2","v":1}`,
  ]);
});

test("an own __proto__ key reaches the daemon, and comes back", async () => {
  const rewrite = JSON.parse('{"__proto__":{"x":1}}');
  const daemon = await scripted(judging(() => ({ verdict: 2, modified_args: rewrite })));
  const decision = await engineFor(daemon.path).evaluate({
    action: "a",
    args: JSON.parse('{"__proto__":{"admin":true}}'),
  });
  expect(daemon.peers[0]?.lines[1]).toContain('"args":{"__proto__":{"admin":true}}');
  expect(Object.keys(decision.modified_args ?? {})).toEqual(["__proto__"]);
});

test("answers may come in any order, in any pieces", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const frames = [await peer.next(), await peer.next(), await peer.next()];
    const text = frames
      .reverse()
      .map(({ id, event }) => `${JSON.stringify(answerTo(id, { reason: event.action }))}\n`)
      .join("");
    for (const byte of Buffer.from(text)) {
      peer.send(Buffer.from([byte]));
      if (byte === 0x2c) await new Promise(setImmediate);
    }
  });
  const engine = engineFor(daemon.path);
  const asked = await Promise.all(["a", "b", "c"].map((action) => engine.evaluate({ action })));
  expect(asked.map(({ reason }) => reason)).toEqual(["a", "b", "c"]);
});

test("questions of one turn of the event loop leave in one write", async () => {
  const sizes: number[] = [];
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    peer.socket.on("data", (text: string) => sizes.push(text.split("\n").length - 1));
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) peer.send(answerTo(frame.id));
  });
  const engine = engineFor(daemon.path);
  await engine.evaluate({ action: "a" });
  await Promise.all(Array.from({ length: 50 }, () => engine.evaluate({ action: "a" })));
  expect(sizes).toEqual([1, 50]);
});

test(`at most ${maxInFlightRequests} questions are on the connection; the others wait in order`, async () => {
  let atOnce = 0;
  const order: number[] = [];
  const daemon = await scripted(async (peer: Peer) => {
    await welcome(peer);
    for (let served = 1; ; served++) {
      const frame = await peer.next();
      if (frame === null) return;
      order.push(frame.event.args.i);
      atOnce = Math.max(atOnce, peer.lines.length - served);
      peer.send(answerTo(frame.id));
    }
  });
  const engine = engineFor(daemon.path);
  const asked = Array.from({ length: 2000 }, (_, i) => engine.evaluate({ action: "a", args: { i } }));
  expect(engine.stats.pending).toBe(2000);
  await Promise.all(asked);
  expect(order).toEqual(asked.map((_, i) => i));
  expect(atOnce).toBeLessThanOrEqual(maxInFlightRequests);
  expect(engine.stats).toMatchObject({ pending: 0, waiting: 0, answered: 2000 });
});

test("beyond the bound of the waiting line a call is refused here, and says so", async () => {
  const engine = engineFor(socketPath(), { grace_ms: 50 });
  const asked = Array.from({ length: maxWaitingQuestions }, () => reasonOf(engine.evaluate({ action: "a" })));
  expect(await reasonOf(engine.evaluate({ action: "a" }))).toBe(
    `not put to the guard: ${maxWaitingQuestions} calls are waiting for it already; ask fewer at once`,
  );
  expect(engine.stats.local).toBe(1);
  await Promise.all(asked);
});

test("large frames do not pile up in the socket: the others wait, and all are answered", async () => {
  const daemon = await scripted(judging(() => ({})));
  const engine = engineFor(daemon.path, { timeout: 30 });
  const blob = "x".repeat(1024 * 1024);
  const asked = Array.from({ length: 40 }, () => engine.evaluate({ action: "a", args: { blob } }));
  await pause(50);
  await Promise.all(asked);
  expect(engine.stats.answered).toBe(40);
});

const localRefusals: Record<string, { args: Record<string, unknown>; what: string }> = {
  undefined: { args: { a: { b: [1, undefined] } }, what: "undefined at a.b[1] has no JSON form" },
  NaN: { args: { secret: Number.NaN }, what: "NaN at secret has no JSON form" },
  "a bigint": { args: { n: 5n }, what: "a bigint at n has no JSON form" },
  "an unsafe integer": { args: { n: 2 ** 53 }, what: "an integer beyond 2^53-1 at n has no JSON form" },
  "a function": { args: { f: () => 1 }, what: "a function at f has no JSON form" },
  "a Date": { args: { d: new Date(0) }, what: "an object that is not plain at d has no JSON form" },
  "a Map": { args: { m: new Map() }, what: "an object that is not plain at m has no JSON form" },
  "a symbol key": { args: { [Symbol("s")]: 1 }, what: "a symbol key" },
  "a frame above 8 MiB": {
    args: { a: "secret".repeat(MAX_LINE / 6) },
    what: "longer than a frame may be",
  },
};

for (const [name, { args, what }] of Object.entries(localRefusals)) {
  test(`${name} is refused here, not by the daemon`, async () => {
    const daemon = await scripted(judging(() => ({})));
    const engine = engineFor(daemon.path);
    const error = await engine.evaluate({ action: "pay", args }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BlockedError);
    expect(error.decision.reason.startsWith(`the arguments of 'pay' cannot be put to the guard: ${what}`)).toBe(true);
    expect(error.decision.policy_id).toBeNull();
    expect(daemon.peers.length).toBe(0);
  });
}

test("a frame longer than the daemon reads is refused here, and harms no other question", async () => {
  const daemon = await scripted(async (peer) => {
    const hello = { daemon: "d/1", features: [], max_frame: 1000, mode: "enforce", rules: "r", rules_version: 0 };
    await peer.line();
    peer.send({ hello, id: "h", v: 1 });
    for (let frame = await peer.next(); frame !== null; frame = await peer.next())
      peer.send(answerTo(frame.id, {}, false));
  });
  const engine = engineFor(daemon.path);
  for (let round = 0; round < 2; round++) {
    const small = engine.evaluate({ action: "a" });
    const reason = await reasonOf(engine.evaluate({ action: "a", args: { text: "x".repeat(1000) } }));
    expect(reason).toBe("the arguments of 'a' cannot be put to the guard: longer than a frame may be");
    expect((await small).verdictName).toBe("ALLOW");
  }
});

test("a result that cannot be put to the guard is called a result", async () => {
  const engine = engineFor(socketPath());
  expect(await reasonOf(engine.evaluate({ action: "a", phase: "result", args: { result: undefined } }))).toMatch(
    /^the result of 'a' cannot be put to the guard: undefined at result/,
  );
});

test("a getter that throws is refused here, and its message is not repeated", async () => {
  const args = {
    get secret(): string {
      throw new RangeError("hunter2");
    },
  };
  expect(await reasonOf(engineFor(socketPath()).evaluate({ action: "a", args }))).toBe(
    "the arguments of 'a' cannot be put to the guard: RangeError",
  );
});

test("an event whose action, phase or identity is no name is refused here", async () => {
  const engine = engineFor(socketPath());
  const wrong: object[] = [
    { action: "" },
    { action: 1 },
    { action: "a".repeat(1025) },
    { action: "a", phase: "Result" },
    { action: "a", principal: 7 },
    { action: "a", span_id: {} },
    { action: "a", parent_principal: [] },
    { action: "a", call_id: true },
    { action: "a", args: [] },
  ];
  for (const event of wrong)
    expect(await reasonOf(engine.evaluate(event as never))).toMatch(/cannot be put to the guard/);
  expect(engine.stats.local).toBe(wrong.length);
});

test("settings that do not exist are refused when the engine is made", () => {
  const wrong: object[] = [
    { timeout: 0 },
    { timeout: -1 },
    { timeout: "5" },
    { timeout: Number.NaN },
    { grace_ms: -1 },
    { unreachable: "Allow" },
    { unreachable: null },
    { onFallback: "warn" },
    { unreachable: "degraded" },
    { unreachable: "degraded", fallbackFile: "f" },
    { unreachable: "degraded", fallbackFile: "f", fallbackKeyFile: "" },
    { unreachable: "degraded", fallbackFile: "f\0", fallbackKeyFile: "k" },
    { unreachable: "degraded", fallbackFile: "f", fallbackKeyFile: "k", fallbackSpool: "" },
    { unreachable: "allow", fallbackFile: "f" },
    { fallbackKeyFile: "k" },
    { fallbackSpool: "s" },
  ];
  for (const options of wrong) expect(() => new RemoteEngine("/tmp/x", options as never)).toThrow(TypeError);
  for (const path of ["", undefined, 5, "a\0b", "x".repeat(108)]) {
    expect(() => new RemoteEngine(path as never)).toThrow(TypeError);
  }
});

test("path, timeout and fallbacks can be read", () => {
  expect(new RemoteEngine("/tmp/x").timeout).toBe(5);
  expect(new RemoteEngine("/tmp/x", { timeout: null }).timeout).toBeNull();
  expect(new RemoteEngine("/tmp/x")).toMatchObject({ path: "/tmp/x", fallbacks: 0 });
});

test("close waits for answers, closes the connection, and the next question opens another", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const { id } = await peer.next();
    await pause(40);
    peer.send(answerTo(id));
  });
  const engine = engineFor(daemon.path);
  const question = engine.evaluate({ action: "a" });
  await engine.close();
  expect((await question).verdictName).toBe("ALLOW");
  expect(engine.stats.protocol).toBe("none");
  await engine.evaluate({ action: "b" });
  expect(daemon.peers.length).toBe(2);
});

test("close of an engine that was never used resolves", async () => {
  await new RemoteEngine(socketPath()).close();
});

test("no timer runs between calls: a connection that was idle longer than the timeout is as good as new", async () => {
  const daemon = await scripted(judging(() => ({})));
  const engine = engineFor(daemon.path, { timeout: 0.05 });
  await engine.evaluate({ action: "a" });
  await pause(150);
  await engine.evaluate({ action: "b" });
  expect(daemon.peers.length).toBe(1);
});

/** Runs a program that imports the client, to see when its process ends. */
const runProgram = async (body: string): Promise<string> => {
  const path = join(dirname(socketPath()), "program.mts");
  writeFileSync(path, `import { RemoteEngine } from ${JSON.stringify(sourceOf("remote-engine.ts"))};\n${body}\n`);
  const tsx = new URL("../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [tsx, path], { timeout: 20_000 });
  return stdout;
};

test("an open connection without a question keeps no process alive; a question does", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      await pause(200);
      peer.send(answerTo(frame.id, { reason: "late" }));
    }
  });
  const body = `
    const engine = new RemoteEngine(${JSON.stringify(daemon.path)}, { timeout: null });
    engine.evaluate({ action: "a" }).then((first) => engine.evaluate({ action: "b" })).then((second) => console.log(second.reason));`;
  expect(await runProgram(body)).toBe("late\n");
});

test("a question for an absent daemon keeps the process alive until it is blocked", async () => {
  const body = `
    const engine = new RemoteEngine(${JSON.stringify(socketPath())}, { grace_ms: 300 });
    engine.evaluate({ action: "a" }).catch((error) => console.log(error.name));`;
  expect(await runProgram(body)).toBe("BlockedError\n");
});

test("probe tells whether somebody listens", async () => {
  const daemon = await scripted(() => {});
  expect(await probe(daemon.path)).toBe(true);
  await daemon.stop();
  expect(await probe(daemon.path)).toBe(false);
});
