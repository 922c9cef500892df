import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../../../test/kit/place.ts";
import { client } from "../exec/testing/guarded-program.ts";
import { nodes, reachRules, saidOn } from "../files/testing/guarded-nodes.ts";
import { run } from "../fs/testing/rig.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace(reachRules);
  await startDaemon(place);
});

describe.each(nodes)("beneath the guard, on Node %s", (_version, node) => {
  it("a debugger's session reads no variable of the guard's, and measures as before", async () => {
    const said = await saidOn(
      node,
      place,
      `const inspector = require("node:inspector");
const promised = require("node:inspector/promises");
const session = new inspector.Session();
session.connect();
const post = (session, ...message) => new Promise((resolve, reject) => session.post(...message, (error, answer) => (error ? reject(error) : resolve(answer))));
await tried("evaluate", () => post(session, "Runtime.evaluate", { expression: "1" }));
await tried("debugger", () => post(session, "Debugger.enable"));
await tried("objects", () => post(session, "HeapProfiler.getObjectByHeapObjectId", { objectId: "1" }));
await tried("an inherited post", () => post(new (class extends inspector.Session {})(), "Runtime.evaluate", { expression: "1" }));
await tried("coverage", async () => { await post(session, "Profiler.enable"); await post(session, "Profiler.startPreciseCoverage", {}); return Array.isArray((await post(session, "Profiler.takePreciseCoverage")).result); });
const other = new promised.Session();
other.connect();
await tried("promised evaluate", () => other.post("Runtime.evaluate", { expression: "1" }));
await tried("promised measure", async () => { await other.post("Profiler.enable"); });
await tried("without a callback", () => { session.post("Runtime.evaluate", { expression: "1" }); });
await tried("signal", () => process.kill(process.pid, "SIGUSR1"));
await tried("signal by its number", () => process.kill(process.pid, require("node:os").constants.signals.SIGUSR1));
await tried("signal to the group", () => process.kill(0, "SIGUSR1"));
await tried("signal beneath", () => process._kill(process.pid, 10));
await tried("another signal", () => process.kill(process.pid, 0));
await tried("debug by pid", () => process._debugProcess(process.pid));
const { execFileSync, spawnSync } = require("node:child_process");
await tried("a child that is debugged", () => execFileSync(process.execPath, ["--inspect-brk=0", "-e", "0"]));
await tried("by its variable", () => execFileSync(process.execPath, ["-e", "0"], { env: { NODE_OPTIONS: "--inspect=0" } }));
await tried("by a shell", () => spawnSync("node --inspect_brk=0 -e 0", { shell: true }).status);
await tried("repl", () => new Promise((resolve) => {
  const { PassThrough } = require("node:stream");
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  output.on("data", (part) => { text += part; if (text.includes("42")) resolve("42"); });
  require("node:repl").start({ input, output, terminal: true, preview: true });
  input.write("40 + 2\\n");
}));
await tried("open", () => inspector.open(0));
await tried("promised open", () => promised.open(0));
said.url = inspector.url() ?? "none";
await tried("open where a rule says so", () => { inspector.open(0, "mayreach.invalid"); });`,
    );
    expect(said).toEqual({
      evaluate: "BlockedError",
      debugger: "BlockedError",
      objects: "BlockedError",
      "an inherited post": "BlockedError",
      "without a callback": "BlockedError",
      signal: "BlockedError",
      "signal by its number": "BlockedError",
      "signal to the group": "BlockedError",
      "signal beneath": "BlockedError",
      "another signal": true,
      "debug by pid": "BlockedError",
      "a child that is debugged": "BlockedError",
      "by its variable": "BlockedError",
      "by a shell": "BlockedError",
      repl: "42",
      coverage: true,
      "promised evaluate": "BlockedError",
      "promised measure": "ran",
      open: "BlockedError",
      "promised open": "BlockedError",
      url: "none",
      "open where a rule says so": "ran",
    });
  });

  it("flags of V8 that open it, and engines that are native code, are refused", async () => {
    const said = await saidOn(
      node,
      place,
      `const v8 = require("node:v8");
const crypto = require("node:crypto");
const tls = require("node:tls");
const set = (flags) => () => v8.setFlagsFromString(flags);
await tried("natives", set("--allow-natives-syntax"));
await tried("natives, otherwise written", set("--expose-gc  --allow_natives_syntax"));
await tried("a log", set("--logfile=secret"));
await tried("collector", set("--expose-gc"));
await tried("size", set("--max-old-space-size=200"));
await tried("size, otherwise written", set("--max_old_space_size 200"));
await tried("engine", () => crypto.setEngine("/nowhere/engine.so"));
await tried("certificate's engine", () => tls.createSecureContext({ clientCertEngine: "/nowhere/engine.so" }));
await tried("key's engine", () => tls.createSecureContext({ privateKeyEngine: "/nowhere/engine.so", privateKeyIdentifier: "x" }));
await tried("of a connection", () => tls.connect({ port: 1, clientCertEngine: "/nowhere/engine.so" }));
await tried("of a server", () => tls.createServer({ clientCertEngine: "/nowhere/engine.so" }));
await tried("context", () => typeof tls.createSecureContext({}).context);
await tried("engine that a rule names", () => crypto.setEngine("/nowhere/mayreach.so"));`,
    );
    expect(said).toEqual({
      natives: "BlockedError",
      "natives, otherwise written": "BlockedError",
      "a log": "BlockedError",
      collector: "ran",
      size: "ran",
      "size, otherwise written": "ran",
      engine: "BlockedError",
      "certificate's engine": "BlockedError",
      "key's engine": "BlockedError",
      "of a connection": "BlockedError",
      "of a server": "BlockedError",
      context: "object",
      "engine that a rule names": "Error",
    });
  });

  it("no thread is started by the handle of another", async () => {
    const said = await saidOn(
      node,
      place,
      `const { Worker } = require("node:worker_threads");
const { createHook } = require("node:async_hooks");
const resources = [];
const hook = createHook({ init: (id, type, trigger, resource) => { if (type === "WORKER") resources.push(resource); } }).enable();
const worker = new Worker("setTimeout(() => {}, 60000)", { eval: true });
hook.disable();
const key = Object.getOwnPropertySymbols(worker).find(({ description }) => description === "kHandle");
const limits = new Float64Array(4);
const made = (handle) => () => { new handle.constructor(null, process.env, [], limits, false, false).startThread(); };
await tried("by the worker", made(worker[key]));
await tried("by a hook's resource", made(resources[0]));
await tried("by its prototype", made(Object.getPrototypeOf(worker[key])));
await tried("by Reflect", () => Reflect.construct(worker[key].constructor, [null, process.env, [], limits]).startThread());
said.name = worker[key].constructor.name;
said.isOne = worker[key] instanceof worker[key].constructor;
await worker.terminate();`,
    );
    expect(said).toEqual({
      "by the worker": "BlockedError",
      "by a hook's resource": "BlockedError",
      "by its prototype": "BlockedError",
      "by Reflect": "BlockedError",
      name: "Worker",
      isOne: true,
    });
  });

  it("the guard's own connection is not among the handles of the process", async () => {
    // A daemon that says nothing: the question stays open, and its socket active.
    const path = join(shortDirectory(), "g.sock");
    const mute = createServer(() => {}).listen(path);
    const text = `require("node:fs").promises.stat(".").catch(() => {});
require("node:dgram").createSocket("udp4").bind();
setTimeout(() => {
  const all = [...process._getActiveHandles(), ...process._getActiveRequests()];
  const unnumbered = all.filter(({ fd }) => fd !== 1 && fd !== 2);
  console.log(JSON.stringify(unnumbered.map((handle) => handle instanceof require("node:net").Socket ? "connection" : "other")));
  process.exit();
}, 200);`;
    const hook = join(client, "client-node/intercept/require-hook.cjs");
    const { stdout } = await run(node, ["--require", hook, "-e", text], undefined, { INTERLOCK_SOCKET: path });
    mute.close();
    const names: readonly string[] = JSON.parse(stdout);
    expect(names).toContain("other");
    expect(names).not.toContain("connection");
  });
});
