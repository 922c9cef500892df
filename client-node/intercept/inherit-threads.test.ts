import { afterAll, beforeAll, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../test/kit/place.ts";
import { prelude, printed, saidBy } from "./exec/testing/guarded-program.ts";
import { execRules } from "./exec/testing/rules.ts";

let place: Place;
let daemon: Daemon;
beforeAll(async () => {
  place = await makePlace(execRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

/** A thread that says how a blocked read ends, by the function that a preload of the program's took first, if one could. */
const threads = `
import { getEnvironmentData, SHARE_ENV, setEnvironmentData, Worker } from "node:worker_threads";
import { writeFileSync } from "node:fs";
writeFileSync("taker.cjs", 'globalThis.taken = require("fs").readFileSync;');
const taker = "--require ./taker.cjs";
const code = 'let end = "ran"; try { (globalThis.taken ?? require("fs").readFileSync)("block" + "me"); } catch (error) { end = error.name; }' +
  'require("worker_threads").parentPort.postMessage(end);';
const ended = (options) => new Promise((resolve, reject) =>
  new Worker(code, { eval: true, ...options }).once("message", resolve).once("error", reject));
`;

it("what NODE_OPTIONS preloads in a thread comes after the guard", async () => {
  const said = await saidBy(
    place,
    `${prelude}${threads}
    await later("of its own", () => ended({ env: { NODE_OPTIONS: taker } }));
    process.env.NODE_OPTIONS = taker;
    await later("of the process", () => ended({}));
    await later("shared", () => ended({ env: SHARE_ENV }));
    process.env = {};
    await later("behind another", () => ended({}));
    await later("shared behind another", () => ended({ env: SHARE_ENV }));
    now("a snapshot", () => String(new Worker(code, { eval: true, env: { NODE_OPTIONS: "--snapshot-blob x" } })));
    ${printed}`,
  );
  expect(said).toEqual({
    "of its own": "BlockedError",
    "of the process": "BlockedError",
    shared: "BlockedError",
    "behind another": "BlockedError",
    "shared behind another": "BlockedError",
    "a snapshot": "BlockedError",
  });
});

it("a thread's environment is what it was given", async () => {
  const said = await saidBy(
    place,
    `${prelude}${threads}
    const env = (options) => new Promise((resolve) => new Worker('require("worker_threads").parentPort.postMessage({ ...process.env })', { eval: true, ...options }).once("message", resolve));
    await later("none", async () => Object.keys(await env({ env: {} })));
    await later("one", async () => (await env({ env: { A: 1 } })).A);
    await later("the process's", async () => (await env({})).INTERLOCK_SOCKET === process.env.INTERLOCK_SOCKET);
    ${printed}`,
  );
  expect(said).toEqual({ none: [], one: "1", "the process's": true });
});

it("what a thread guards itself with can be neither set nor read by the program; other data can", async () => {
  const said = await saidBy(
    place,
    `${prelude}${threads}
    const fake = { socketPath: "/nowhere", groups: { fs: false, exec: false, http: false, net: false } };
    now("set", () => setEnvironmentData("interlock.guard", fake));
    now("deleted", () => setEnvironmentData("interlock.guard", undefined));
    now("read", () => String(getEnvironmentData("interlock.guard")));
    now("other", () => { setEnvironmentData("mine", 7); return getEnvironmentData("mine"); });
    await later("meanwhile", () => ended({ workerData: { get x() { try { setEnvironmentData("interlock.guard", fake); } catch {} return 1; } } }));
    ${printed}`,
  );
  expect(said).toEqual({
    set: "BlockedError",
    deleted: "BlockedError",
    read: "undefined",
    other: 7,
    meanwhile: "BlockedError",
  });
});

it("a program cannot delete the mark; loading the guard again, to ask another daemon, changes nothing", async () => {
  const said = await saidBy(
    place,
    `${prelude}${threads}
    const [hook] = Object.keys(require.cache).filter((path) => path.endsWith("require-hook.cjs"));
    said.deleted = Reflect.deleteProperty(process, Symbol.for("interlock.installed"));
    process.env.INTERLOCK_SOCKET = "/nowhere";
    delete require.cache[hook];
    require(hook);
    await later("a thread", () => ended({}));
    now("a call", () => execSync("echo blockme"));
    now("another", () => text(execSync("echo hi")));
    ${printed}`,
  );
  expect(said).toEqual({ deleted: false, "a thread": "BlockedError", "a call": "BlockedError", another: "hi" });
});
