import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import { client, esmHook, programOf, runProgram, saidBy, secretRules, syncBridge } from "./programs.ts";

let place: Place;
beforeAll(async () => {
  place = await makePlace(secretRules);
  await startDaemon(place);
});

const begun = `
  import threads, { Worker } from "node:worker_threads";
  import { syncBuiltinESMExports } from "node:module";
  const started = [];
  threads.Worker = class extends Worker { constructor(...args) { super(...args); started.push(this); } };
  syncBuiltinESMExports();
  const { SyncBridge } = await import(${JSON.stringify(syncBridge)});
  const settings = { timeout: 2, timeout_ms: 2000, grace_ms: 100, unreachable: "deny", fallback: null, onFallback: () => {}, principal: null, scope: null, token: { kind: "none" } };
  const bridge = new SyncBridge({ path: process.env.INTERLOCK_SOCKET, settings });
  const event = (path) => ({ action: "fs.stat", args: { path } });
  const end = (asked) => asked.then(({ verdict }) => verdict, (error) => error.message.replace(/.*: /, ""));
`;

test("a caller who goes on and one who waits share the thread: each gets its own answer, and the process ends by itself", async () => {
  const program = programOf(`${begun}
    const later = Array.from({ length: 500 }, (_, at) => end(bridge.evaluate(event(at % 3 === 0 ? "/secret" : "/tmp"))));
    const now = [bridge.evaluateSync(event("/secret")).verdict, bridge.evaluateSync(event("/tmp")).verdict];
    const verdicts = await Promise.all(later);
    console.log(JSON.stringify([now, verdicts.every((verdict, at) => verdict === (at % 3 === 0 ? 1 : 0)), started.length]));
  `);
  expect(saidBy(await runProgram([], program, { INTERLOCK_SOCKET: place.socket }))).toEqual([[1, 0], true, 1]);
});

test("what is pending when the thread dies is blocked; when the bridge is closed it is answered yet", async () => {
  const program = programOf(`${begun}
    const first = await end(bridge.evaluate(event("/tmp")));
    const dying = end(bridge.evaluate(event("/tmp")));
    const dead = started[0].terminate();
    const said = [first, typeof (await dying), await dead.then(() => end(bridge.evaluate(event("/secret"))))];
    const closing = end(bridge.evaluate(event("/secret")));
    bridge.close();
    console.log(JSON.stringify([...said, await closing, await end(bridge.evaluate(event("/tmp")))]));
  `);
  const [first, dying, ...rest] = saidBy(
    await runProgram([], program, { INTERLOCK_SOCKET: place.socket }),
  ) as unknown[];
  expect([first, ...rest]).toEqual([0, 1, 1, "the guard's thread is closed"]);
  // The answer may have been under way already.
  expect(["string", "number"]).toContain(dying);
});

test("a thread that was begun before the program is not begun again in its midst", async () => {
  const program = programOf(`${begun}
    const { startBridgeThread } = await import(${JSON.stringify(new URL("bridge-thread.js", syncBridge).href)});
    const path = process.env.INTERLOCK_SOCKET;
    const preloaded = new SyncBridge({ path, settings }, startBridgeThread(path, settings));
    const { verdict } = preloaded.evaluateSync(event("/tmp"));
    await started[0].terminate();
    console.log(JSON.stringify([verdict, await end(preloaded.evaluate(event("/tmp"))), started.length]));
  `);
  const said = saidBy(await runProgram([], program, { INTERLOCK_SOCKET: place.socket }));
  expect(said).toEqual([0, "the guard's thread has ended", 1]);
});

test("a daemon that says nothing: a caller who goes on is blocked within the timeout, and the process ends", async () => {
  const path = join(shortDirectory(), "g.sock");
  const server = createServer(() => {}).listen(path);
  const program = programOf(`
    import { readFile, stat } from "node:fs/promises";
    const from_ms = performance.now();
    const ends = await Promise.all([stat("/tmp"), readFile("/etc/hostname")].map((asked) => asked.then(() => "ran", (error) => error.name)));
    process.on("exit", () => console.log(JSON.stringify([ends, performance.now() - from_ms < 1500])));
  `);
  const ended = await runProgram(["--import", esmHook], program, { INTERLOCK_SOCKET: path, INTERLOCK_TIMEOUT: "0.5" });
  server.close();
  // The program itself is read by Node, which asks as well.
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain("BlockedError");
});

test("no socket of the guard's is in a program's own thread", async () => {
  const program = programOf(`
    import { createHook } from "node:async_hooks";
    import { stat } from "node:fs/promises";
    const types = new Set();
    createHook({ init: (id, type) => types.add(type) }).enable();
    await stat("/tmp");
    await stat("/secret").catch(() => {});
    console.log(JSON.stringify([...types].filter((type) => /PIPE|WRITE|SHUTDOWN|MESSAGEPORT|WORKER/.test(type))));
    console.error(process._getActiveHandles().filter(({ constructor: { name } }) => name === "Worker" || name === "MessagePort").length);
  `);
  const ended = await runProgram(["--import", esmHook], program, { INTERLOCK_SOCKET: place.socket });
  expect(saidBy(ended)).toEqual([]);
  expect(ended.stderr).toBe("0\n");
});

test.each([
  ["missing", null],
  ["not JavaScript", "this is no program"],
  ["one that throws", "throw new Error('broken');"],
])("a thread's file that is %s blocks at once, and says why", async (_how, text) => {
  const package_ = join(shortDirectory(), "package");
  cpSync(fileURLToPath(new URL("..", client)), package_, { recursive: true });
  writeFileSync(join(package_, "package.json"), '{"type":"module"}');
  const file = join(package_, "client-node/intercept/sync-worker.cjs");
  if (text === null) rmSync(file);
  else writeFileSync(file, text);
  const program = programOf(`
    const { RemoteEngine, installInterceptors } = await import(process.env.CLIENT);
    const fs = await import("node:fs");
    installInterceptors({ engine: new RemoteEngine(process.env.INTERLOCK_SOCKET, { timeout: 20 }) });
    const from_ms = performance.now();
    const ends = [1, 2].map(() => { try { fs.statSync("/tmp"); return "ran"; } catch (error) { return error.message; } });
    console.log(JSON.stringify([...ends, performance.now() - from_ms < 3000]));
  `);
  const env = { INTERLOCK_SOCKET: place.socket, CLIENT: pathToFileURL(join(package_, "client-node/index.js")).href };
  const why =
    "blocked action 'fs.stat': the guard's thread cannot start: its file is missing or broken; install the package again";
  expect(saidBy(await runProgram([], program, env))).toEqual([why, why, true]);
  const preloaded = await runProgram(
    ["--require", join(package_, "client-node/intercept/require-hook.cjs")],
    programOf(`try { process.getBuiltinModule("fs").statSync("/tmp"); } catch {}`, "cjs"),
    env,
  );
  expect(preloaded).toMatchObject({ code: 1, stdout: "" });
  expect(preloaded.stderr).toContain("the guard's thread cannot start");
});
