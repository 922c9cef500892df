import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { start } from "../../../test/kit/processes.ts";
import { prelude, printed, saidBy } from "./testing/guarded-program.ts";
import { execRules } from "./testing/rules.ts";

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(execRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

/** Runs a program without the guard. */
const plainly = async (text: string): Promise<unknown> => {
  const program = join(place.home, "plain.mjs");
  await writeFile(program, text);
  const { code, stdout, stderr } = await start(program, [], { env: place.env, cwd: place.home }).ended;
  if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
};

// A guarded program is started with flags, which `fork` hands on: they shift where its own arguments stand.
const isTheSame = async (text: string): Promise<void> => {
  const program = `${prelude}
const shape = (error) => ({ name: error.name, code: error.code, message: error.message.replace(/args\\[\\d+\\]/, "args[n]"), keys: Object.keys(error).sort() });
const misuse = (name, step) => { try { step(); said[name] = "ran"; } catch (error) { said[name] = shape(error); } };
const ended = (child) => new Promise((resolve) => {
  const seen = [];
  child.on("error", (error) => seen.push(shape(error))).on("exit", (...by) => seen.push(by)).on("close", (...by) => resolve([...seen, by]));
});
${text}${printed}`;
  const guarded = await saidBy(place, program);
  expect(Object.keys(guarded).length).toBeGreaterThan(0);
  expect(guarded).toEqual(await plainly(program));
};

it("functions keep name, length, own properties and what they inherit from", () =>
  isTheSame(`
for (const [name, value] of Object.entries({ ...child_process, kill: process.kill, raw: ChildProcess.prototype.spawn })) {
  if (typeof value !== "function") continue;
  const own = Reflect.ownKeys(value).map(String).filter((key) => key !== "Symbol(interlock.guarded)").sort();
  const custom = value[promisify.custom];
  said[name] = [value.name, value.length, own, custom?.name ?? null, custom?.length ?? null, Object.getPrototypeOf(value) === Function.prototype];
}
said.keys = Object.keys(child_process);
`));

it("misuse is refused as Node refuses it", () =>
  isTheSame(`
const wrong = [[], [1], [null], [""], ["a\\0b"], ["true", 1], ["true", "text"], ["true", [], 1], ["true", [], null], ["true", ["a\\0"]],
  ["true", [], { cwd: 1 }], ["true", [], { shell: 1 }], ["true", [], { stdio: "none" }], ["true", [], { uid: "root" }],
  ["true", [], { signal: 1 }], ["true", [], { timeout: -1 }], ["true", [], "options"], ["true", [], []], ["true", { argv0: 1 }],
  ["true", [], {}, 1], ["true", [], { env: { a: "\\0" } }]];
for (const name of ["exec", "execFile", "spawn", "fork", "execSync", "execFileSync", "spawnSync"]) {
  for (const [at, args] of wrong.entries()) {
    if (name === "fork" && args[0] === "true" && args.length === 1) continue;
    misuse(name + " " + at, () => { child_process[name](...args)?.on?.("error", () => {}); });
  }
}
misuse("kill", () => process.kill("x"));
misuse("kill signal", () => process.kill(process.pid, "NONE"));
misuse("kill nobody", () => process.kill(2 ** 22 + 7, 0));
`));

it("processes, results and errors are the same", () =>
  isTheSame(`
const at = (ms) => { const controller = new AbortController(); setTimeout(() => controller.abort(), ms); return controller.signal; };
said.missing = await ended(spawn("no-such-program", ["a"]));
said["missing folder"] = await ended(spawn("true", { cwd: "/no-such-folder" }));
said.status = await ended(spawn("exit 3", { shell: true }));
said.aborted = await ended(spawn("sleep", ["5"], { signal: at(20) }));
said.timeout = await ended(spawn("sleep", ["5"], { timeout: 20 }));
said.callback = await new Promise((done) => exec("echo out; echo err >&2; exit 3", (error, ...rest) => done([shape(error), error.cmd, rest])));
said.missing2 = await new Promise((done) => execFile("no-such-program", ["a"], (error, ...rest) => done([shape(error), error.path, error.spawnargs, rest])));
said.buffer = await new Promise((done) => execFile("printf", ["a"], { encoding: "buffer" }, (error, out) => done([error, Buffer.isBuffer(out)])));
said.tooMuch = await new Promise((done) => exec("yes | head -c 5000", { maxBuffer: 10 }, (error, out) => done([shape(error), out])));
await promisify(exec)("echo out; exit 3").catch((error) => { said.promised = [shape(error), error.stdout, error.cmd]; });
await promisify(execFile)("sleep", ["5"], { signal: at(20) }).catch((error) => { said.abortedPromise = shape(error); });
said.child = promisify(exec)("true").child instanceof ChildProcess;
for (const [name, step] of Object.entries({
  input: () => text(execSync("cat", { input: "given" })),
  bytes: () => text(execFileSync("cat", [], { input: Buffer.from("bytes") })),
  status: () => execSync("echo out; exit 3", { stdio: "pipe" }),
  missing: () => execFileSync("no-such-program", ["a"]),
  nothing: () => execFileSync("true", null, null) + "",
  numbers: () => text(execFileSync("echo", [1, null, undefined, true])),
  cwd: () => text(execSync("pwd", { cwd: new URL("file:///") })),
  argv0: () => text(spawnSync("sh", ["-c", "echo $0"], { argv0: "other" }).stdout),
  env: () => text(spawnSync("sh", ["-c", "echo $A $B"], { env: Object.create({ A: "inherited" }, { B: { value: 2, enumerable: true } }) }).stdout),
  shell: () => text(spawnSync("echo", ["a  b", "$0"], { shell: "/bin/sh" }).stdout),
  object: () => Object.keys(spawnSync("true")).sort(),
  timeout: () => { const { error, signal } = spawnSync("sleep", ["5"], { timeout: 20 }); return [error.code, signal]; },
})) misuse(name, () => { said[name + " result"] = step(); });
const child = spawn("cat", ["-"]);
said.handle = [child.spawnfile, child.spawnargs, typeof child.pid, child instanceof ChildProcess, child.constructor === ChildProcess];
child.stdin.end("through");
said.through = await output(child);
const options = { env: { A: "1" }, cwd: "/" };
const args = ["a"];
await output(execFile("echo", args, options));
said.untouched = [options, args];
const forked = fork("-", [], { execArgv: ["-e", "process.on('message', (m) => { process.send(m + 1); process.disconnect(); })"] });
forked.send(1);
said.forked = await new Promise((done) => forked.on("message", done));
`));

it("a process with flags that no thread takes starts threads as ever, and a thread's own such flags are refused by Node", () =>
  isTheSame(`
const inside = (options) => 'const { Worker } = require("node:worker_threads");' +
  'const text = "require(\\'node:worker_threads\\').parentPort.postMessage([typeof gc, process.title])";' +
  'for (let left = 2; left > 0; left--) new Worker(text, { eval: true, ...' + options + ' }).on("message", (message) => console.log(JSON.stringify(message)));';
const flags = ["--expose-gc", "--max-old-space-size=200", "--title=a, b", "--no-warnings"];
const run = (options) => spawnSync(process.execPath, [...flags, "-e", inside(options)], { encoding: "utf8" });
said.inherited = run("{}").stdout;
const refused = run('{ execArgv: ["--expose-gc"] }');
said.own = [refused.status, /ERR_WORKER_INVALID_EXEC_ARGV\\]: .*/.exec(refused.stderr)?.[0]];
`));
