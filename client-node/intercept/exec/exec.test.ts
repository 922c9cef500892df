import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, receiptsOf, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { prelude, printed, saidBy } from "./testing/guarded-program.ts";
import { execRules } from "./testing/rules.ts";

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(execRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

const says = (text: string): Promise<Record<string, unknown>> => saidBy(place, prelude + text + printed);

/** The actions that the daemon decided while a program ran, each with its verdict. */
const decisions = async (text: string): Promise<readonly string[]> => {
  const of = async () => (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
  const before = (await of()).length;
  await says(text);
  const lines = (await of()).slice(before).map(({ action, verdict }) => `${action} ${verdict}`);
  // The program's own file is read, too.
  return lines.filter((line) => !line.startsWith("fs."));
};

describe("functions that wait for the process", () => {
  it("are allowed, blocked and rewritten", async () => {
    expect(
      await says(`
for (const word of ["hi", "redirectme", "blockme"]) {
  now("execSync " + word, () => text(execSync("echo " + word)));
  now("execFileSync " + word, () => text(execFileSync("echo", [word])));
  now("spawnSync " + word, () => text(spawnSync("echo", [word]).stdout));
  now("spawnSync shell " + word, () => text(spawnSync("echo", [word], { shell: true }).stdout));
  now("spawnSync no args " + word, () => text(spawnSync("echo " + word, { shell: true }).stdout));
}`),
    ).toEqual(
      Object.fromEntries(
        ["execSync", "execFileSync", "spawnSync", "spawnSync shell", "spawnSync no args"].flatMap((name) => [
          [`${name} hi`, "hi"],
          [`${name} redirectme`, "changed"],
          [`${name} blockme`, "BlockedError"],
        ]),
      ),
    );
  });
});

describe("functions that return a process at once", () => {
  it("are allowed, blocked and rewritten; without a callback a refusal is thrown", async () => {
    expect(
      await says(
        `
for (const word of ["hi", "redirectme", "blockme"]) {
  await later("spawn " + word, () => output(spawn("echo", [word])));
  await later("exec " + word, () => output(exec("echo " + word)));
  await later("execFile " + word, () => output(execFile("echo", [word])));
  await later("fork " + word, () => output(fork(word === "hi" ? "hi.cjs" : word + ".cjs", [], { stdio: ["ignore", "pipe", "inherit", "ipc"] })));
}
now("thrown at once", () => { spawn("echo", ["blockme"]); return "no"; });`.replace(
          "for (const word",
          `import { writeFileSync } from "node:fs";
for (const name of ["hi", "changed"]) writeFileSync(name + ".cjs", "console.log(" + JSON.stringify(name) + ")");
for (const word`,
        ),
      ),
    ).toEqual({
      ...Object.fromEntries(
        ["spawn", "exec", "execFile", "fork"].flatMap((name) => [
          [`${name} hi`, "hi"],
          [`${name} redirectme`, "changed"],
          [`${name} blockme`, "BlockedError"],
        ]),
      ),
      "thrown at once": "BlockedError",
    });
  });

  it("give a refusal to the callback, after the call has returned a process that never started", async () => {
    expect(
      await says(`
for (const word of ["hi", "redirectme", "blockme"]) {
  said["exec " + word] = await called((done) => exec("echo " + word, done));
  said["exec options " + word] = await called((done) => exec("echo " + word, { encoding: "utf8" }, done));
  said["execFile " + word] = await called((done) => execFile("echo", [word], done));
  said["execFile options " + word] = await called((done) => execFile("echo", [word], {}, done));
  said["execFile no args " + word] = await called((done) => execFile("echo " + word, { shell: true }, done));
}
const child = exec("echo blockme", () => {});
await later("child", () => output(child));
said.never = [child instanceof ChildProcess, child.pid ?? null];`),
    ).toEqual({
      ...Object.fromEntries(
        ["exec", "exec options", "execFile", "execFile options", "execFile no args"].flatMap((name) => [
          [`${name} hi`, [true, "hi"]],
          [`${name} redirectme`, [true, "changed"]],
          [`${name} blockme`, [true, "BlockedError"]],
        ]),
      ),
      child: "BlockedError",
      never: [true, null],
    });
  });

  it("have a promisified form that rejects, and whose promise has the process", async () => {
    expect(
      await says(`
for (const word of ["hi", "redirectme", "blockme"]) {
  await later("exec " + word, async () => text((await promisify(exec)("echo " + word)).stdout));
  await later("execFile " + word, async () => text((await promisify(execFile)("echo", [word])).stdout));
}
const promise = promisify(exec)("echo blockme");
said.child = promise.child instanceof ChildProcess;
await later("rejected", () => promise);`),
    ).toEqual({
      "exec hi": "hi",
      "exec redirectme": "changed",
      "exec blockme": "BlockedError",
      "execFile hi": "hi",
      "execFile redirectme": "changed",
      "execFile blockme": "BlockedError",
      child: true,
      rejected: "BlockedError",
    });
  });

  it("are asked for once, under the name that was called, with what they call inside", async () => {
    const forked = `new Promise((done) => fork("-", [], { execArgv: ["-e", "0"] }).on("exit", done))`;
    const calls: Readonly<Record<string, readonly string[]>> = {
      exec: [`output(exec("true"))`, `promisify(exec)("true", { cwd: "/" })`],
      execFile: [`output(execFile("true"))`, `promisify(execFile)("true")`],
      spawn: [`output(spawn("true", [], { shell: true }))`],
      fork: [forked],
      execSync: [`execSync("true")`],
      execFileSync: [`execFileSync("true")`],
      spawnSync: [`spawnSync("true")`],
    };
    const all = Object.entries(calls).flatMap(([name, each]) => each.map((call) => ({ name, call })));
    expect(await decisions(`${all.map(({ call }) => `await ${call};`).join("")}process.kill(process.pid, 0);`)).toEqual(
      [...all.map(({ name }) => `child_process.${name} ALLOW`), "process.kill ALLOW"],
    );
  });
});

describe("ways around the exported functions", () => {
  it("are asked for as well", async () => {
    const given = `{ file: "echo", args: ["echo", "blockme"], stdio: "ignore" }`;
    expect(
      await says(`
import { createHook } from "node:async_hooks";
import Module from "node:module";
import { Worker as Thread } from "node:worker_threads";
import cluster from "node:cluster";
now("a hook inside of the first question", () => {
  const seen = new Set();
  const tries = [() => execSync("true"), () => spawn("true"), () => new ChildProcess()._handle.spawn("true", ["true"]), () => process._kill(process.pid, 0),
    () => process.loadEnvFile("none.env"), () => new Thread("0", { eval: true })];
  const hook = createHook({ init() {
    if (seen.size > 0) return;
    for (const step of tries) { try { step(); seen.add("ran"); } catch (error) { seen.add(error.name); } }
  } }).enable();
  execSync("true");
  hook.disable();
  return [...seen];
});
now("ChildProcess.prototype.spawn", () => new ChildProcess().spawn(${given}));
now("the handle of a process", () => new ChildProcess()._handle.spawn({ ...${given}, stdio: [] }));
now("the handle, by position", () => new ChildProcess()._handle.spawn("echo", ["echo", "blockme"], null, [], [], 0));
now("the handle, in no known way", () => new ChildProcess()._handle.spawn({ file: { toString: () => "echo" } }));
now("the constructor of a process", () => new (spawn("true").constructor)().spawn(${given}));
now("cluster.fork", () => { cluster.setupPrimary({ exec: "blockme.cjs" }); cluster.fork(); });
now("fork after process.execPath was set", () => {
  const before = process.execPath;
  process.execPath = "/blockme";
  try { fork("hi.cjs"); return "ran"; } finally { process.execPath = before; }
});
now("Function", () => Function("require", "return require('child_process').execSync('echo blockme')")(require));
now("an argument that changes", () => {
  let count = 0;
  return text(spawnSync("echo", [{ toString: () => (count++ === 0 ? "blockme" : "hi") }]).stdout);
});
now("an option that changes", () => {
  let count = 0;
  return text(execFileSync("echo", ["hi"], { get shell() { return count++ === 0 ? false : "/blockme"; } }));
});
now("a _kill of the program's own", () => {
  const before = process._kill;
  let inner;
  process._kill = () => { try { spawn("echo", ["blockme"]); inner = "ran"; } catch (error) { inner = error.name; } return 0; };
  process.kill(process.pid, 0);
  process._kill = before;
  return inner;
});
now("started inside of another start", () => {
  let inner = "not reached";
  const hook = createHook({ init(id, type) {
    if (type !== "PROCESSWRAP" || inner !== "not reached") return;
    try { inner = "started"; spawn("echo", ["blockme"]); } catch (error) { inner = error.name; }
  } }).enable();
  spawn("true");
  hook.disable();
  return inner;
});
const same = (other) => Object.keys(child_process).filter((name) => other[name] !== child_process[name]);
said.same = [all, require("child_process"), process.getBuiltinModule("node:child_process"), Module._load("child_process")].flatMap(same);
`),
    ).toEqual({
      "ChildProcess.prototype.spawn": "BlockedError",
      "the handle of a process": "BlockedError",
      "the handle, by position": "BlockedError",
      "the handle, in no known way": "BlockedError",
      "the constructor of a process": "BlockedError",
      "cluster.fork": "BlockedError",
      "fork after process.execPath was set": "BlockedError",
      Function: "BlockedError",
      "an argument that changes": "BlockedError",
      "an option that changes": "hi",
      "a hook inside of the first question": [],
      "a _kill of the program's own": "BlockedError",
      "started inside of another start": "BlockedError",
      same: [],
    });
  });
});

describe("worker threads", () => {
  it("are asked for by file, by URL and by text, by every way to the class", async () => {
    expect(
      await says(`
import { Worker } from "node:worker_threads";
const heard = (worker) => new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
const code = (word) => "require('node:worker_threads').parentPort.postMessage('" + word + "')";
const write = require("node:fs").writeFileSync;
for (const name of ["hi", "changed"]) write(name + ".cjs", code(name));
class Own extends Worker {}
for (const word of ["hi", "redirectme", "blockme"]) {
  await later("file " + word, () => heard(new Worker("./" + word + ".cjs")));
  await later("url " + word, () => heard(new Worker(new URL(word + ".cjs", import.meta.url))));
  await later("text " + word, () => heard(new Worker(code(word), { eval: true })));
  await later("class " + word, () => heard(new Own("./" + word + ".cjs")));
}
const worker = new Worker("./hi.cjs");
said.kept = [worker instanceof Worker, new Own("./hi.cjs") instanceof Own, Worker.name, Worker.length];
await later("constructor", () => heard(new worker.constructor("./blockme.cjs")));
await later("misuse", () => new Worker());
await later("its own start", () => heard(new Worker("require('node:worker_threads').parentPort.postMessage((() => { try { require('child_process').execSync('echo block' + 'me'); return 'ran'; } catch (error) { return error.name; } })())", { eval: true, execArgv: [], env: {} })));
`),
    ).toEqual({
      ...Object.fromEntries(
        ["file", "url", "text", "class"].flatMap((name) => [
          [`${name} hi`, "hi"],
          [`${name} redirectme`, "changed"],
          [`${name} blockme`, "BlockedError"],
        ]),
      ),
      kept: [true, true, "Worker", 1],
      constructor: "BlockedError",
      misuse: "TypeError",
      "its own start": "BlockedError",
    });
  });
});

describe("functions of process", () => {
  it("that reach beneath the guard are refused; those that reach another process are asked for", async () => {
    expect(
      await says(`
now("binding", () => process.binding("spawn_sync"));
now("_linkedBinding", () => process._linkedBinding("fs"));
now("dlopen", () => process.dlopen({ exports: {} }, "/blockme.node"));
now("kill", () => process.kill(process.pid, 0));
now("_kill", () => process._kill(process.pid, 0));
now("loadEnvFile", () => process.loadEnvFile("blockme.env"));
now("writeReport", () => process.report.writeReport("blockme.json"));
now("kill of a number in a text", () => process.kill(String(process.pid), 0));
now("misuse of kill", () => process.kill({}));
`),
    ).toEqual({
      binding: "BlockedError",
      _linkedBinding: "BlockedError",
      dlopen: "BlockedError",
      kill: true,
      _kill: 0,
      loadEnvFile: "BlockedError",
      writeReport: "BlockedError",
      "kill of a number in a text": true,
      "misuse of kill": "TypeError",
    });
  });
});
