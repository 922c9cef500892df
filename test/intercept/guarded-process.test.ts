import { beforeAll, expect, test } from "vitest";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { client, esmHook, programOf, requireHook, runProgram, saidBy, secretRules } from "./programs.ts";

let place: Place;
let env: Record<string, string>;
beforeAll(async () => {
  place = await makePlace(secretRules);
  await startDaemon(place);
  env = { INTERLOCK_SOCKET: place.socket, CLIENT: client };
});

const tried = `const tried = (step) => { try { step(); return "ran"; } catch (error) { return error.name; } };`;

test("takes as many calls at once as Node does", async () => {
  const program = programOf(`
    import { access } from "node:fs";
    import { stat } from "node:fs/promises";
    const called = Array.from({ length: 5000 }, () => new Promise((resolve) => access("/tmp", resolve)));
    const promised = Array.from({ length: 5000 }, () => stat("/tmp").then(() => null));
    const refused = stat("/tmp/secret").then(() => null, (error) => error.name);
    console.log(JSON.stringify([...new Set(await Promise.all([...called, ...promised, refused]))]));
  `);
  expect(saidBy(await runProgram(["--import", esmHook], program, env))).toEqual([null, "BlockedError"]);
});

for (const [name, args] of [
  ["--import esm-hook", ["--import", esmHook]],
  ["--require require-hook", ["--require", requireHook]],
] as const) {
  test(`${name}: named, default, namespace and dynamic imports, require and getBuiltinModule are all guarded`, async () => {
    const program = programOf(`
      import { statSync } from "node:fs";
      import fs from "fs";
      import * as all from "node:fs";
      import { stat } from "node:fs/promises";
      import { createRequire } from "node:module";
      ${tried}
      const { statSync: dynamic } = await import("node:fs");
      const { statSync: required } = createRequire(import.meta.url)("fs");
      const forms = [statSync, fs.statSync, all.statSync, dynamic, required, process.getBuiltinModule("fs").statSync];
      const later = await stat("/tmp/secret").then(() => "ran", (error) => error.name);
      console.log(JSON.stringify([statSync("/tmp").isDirectory(), later, ...forms.map((form) => tried(() => form("/tmp/secret")))]));
    `);
    const blocked = Array.from({ length: 7 }, () => "BlockedError");
    expect(saidBy(await runProgram(args, program, env))).toEqual([true, ...blocked]);
  });

  test(`${name}: a refusal is a BlockedError of the package that the program imports`, async () => {
    const program = programOf(`
      import { statSync } from "node:fs";
      import { stat } from "node:fs/promises";
      const { BlockedError, NotApprovedError } = await import(process.env.CLIENT);
      class Own extends BlockedError {}
      const kinds = (error) => [error instanceof BlockedError, error instanceof NotApprovedError, error instanceof Own, error instanceof Error, error.decision.verdict];
      try { statSync("/tmp/secret"); } catch (error) { console.log(JSON.stringify([kinds(error), await stat("/tmp/secret").catch(kinds)])); }
    `);
    const kinds = [true, false, false, true, 1];
    expect(saidBy(await runProgram(args, program, env))).toEqual([kinds, kinds]);
  });

  test(`${name}: a CommonJS program is guarded`, async () => {
    const program = programOf(
      `${tried} const { statSync } = require("fs"); console.log(JSON.stringify(tried(() => statSync("/tmp/secret"))));`,
      "cjs",
    );
    expect(saidBy(await runProgram(args, program, env))).toBe("BlockedError");
  });

  test(`${name}: without INTERLOCK_SOCKET, or with a timeout that is none, the program does not start`, async () => {
    const program = programOf(`console.log("ran");`);
    const unset = await runProgram(args, program, {});
    expect(unset).toMatchObject({ code: 2, stdout: "" });
    expect(unset.stderr).toBe("interlock-guard: INTERLOCK_SOCKET is not set; name the daemon's socket\n");
    for (const INTERLOCK_TIMEOUT of ["soon", "0", "-1", "Infinity"]) {
      const misspelt = await runProgram(args, program, { ...env, INTERLOCK_TIMEOUT });
      expect(misspelt).toMatchObject({ code: 2, stdout: "" });
      expect(misspelt.stderr).toBe("interlock-guard: INTERLOCK_TIMEOUT is a number of seconds above 0\n");
    }
  });

  test(`${name}: threads guard themselves, whatever their options say, and so do threads of theirs`, async () => {
    const say = `require("worker_threads").parentPort.postMessage(tried(() => require("fs").statSync("/tmp/secret")));`;
    const file = programOf(`${tried} ${say}`, "cjs");
    const esm = programOf(
      `import { statSync } from "fs"; import { parentPort } from "worker_threads"; ${tried} parentPort.postMessage(tried(() => statSync("/tmp/secret")));`,
    );
    const program = programOf(`
      import { Worker, SHARE_ENV } from "node:worker_threads";
      const said = (worker) => new Promise((resolve) => worker.once("message", resolve).once("error", resolve));
      const text = ${JSON.stringify(`${tried} ${say}`)};
      const inner = \`const { Worker, parentPort } = require("worker_threads");
        new Worker(\${JSON.stringify(text)}, { eval: true, env: {}, execArgv: [] }).once("message", (said) => parentPort.postMessage(said));\`;
      const first = new Worker(text, { eval: true, env: {}, execArgv: [] });
      console.log(JSON.stringify(await Promise.all([
        said(first),
        said(new first.constructor(text, { eval: true })),
        said(new (Object.getPrototypeOf(Object.getPrototypeOf(first)).constructor === Worker ? Worker : first.constructor)(text, { eval: true })),
        said(new (class extends Worker {})(text, Object.create({ eval: true, execArgv: [], env: {} }))),
        said(new Worker(new URL(${JSON.stringify(file)}), { env: SHARE_ENV })),
        said(new Worker(new URL(${JSON.stringify(esm)}), { env: {}, execArgv: ["--no-warnings"] })),
        said(new Worker(inner, { eval: true, env: {}, execArgv: [] })),
      ])));
    `);
    expect(saidBy(await runProgram(args, program, env))).toEqual(Array.from({ length: 7 }, () => "BlockedError"));
  });
}

test("a program that installs by itself: imports linked before follow, uninstall puts every function back", async () => {
  const program = programOf(`
    import fs, { statSync } from "node:fs";
    import { createRequire } from "node:module";
    const { RemoteEngine, installInterceptors } = await import(process.env.CLIENT);
    ${tried}
    const require = createRequire(import.meta.url);
    const names = ["fs", "fs/promises", "child_process", "http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "worker_threads", "process", "module"];
    const all = () => new Map(names.flatMap((name) => { const module = require(name); return Object.getOwnPropertyNames(module).filter((key) => typeof module[key] === "function").flatMap((key) => [[name + "." + key, module[key]], ...(module[key].prototype ? Object.getOwnPropertyNames(module[key].prototype).map((inner) => [name + "." + key + "#" + inner, Object.getOwnPropertyDescriptor(module[key].prototype, inner).value]) : [])]); }));
    const before = all();
    const { fetch, WebSocket } = globalThis;
    const engine = new RemoteEngine(process.env.INTERLOCK_SOCKET);
    const installed = installInterceptors({ engine });
    const guarded = tried(() => statSync("/tmp/secret"));
    installInterceptors({ engine }).uninstall();
    const still = tried(() => statSync("/tmp/secret"));
    const held = fs.statSync;
    installed.uninstall();
    installed.uninstall();
    const after = all();
    const changed = [...before.keys()].filter((key) => before.get(key) !== after.get(key));
    if (fetch !== globalThis.fetch || WebSocket !== globalThis.WebSocket) changed.push("globals");
    await engine.close();
    console.log(JSON.stringify({ guarded, still, changed, free: tried(() => statSync("/tmp/secret")), held: tried(() => held("/tmp/secret")), size: before.size === after.size }));
  `);
  expect(saidBy(await runProgram([], program, env))).toEqual({
    guarded: "BlockedError",
    still: "BlockedError",
    changed: [],
    free: "Error",
    held: "Error",
    size: true,
  });
});

test("a process that imports the package and does not ask is not changed", async () => {
  const program = programOf(`
    import fs from "node:fs";
    import child_process from "node:child_process";
    import net from "node:net";
    import threads from "node:worker_threads";
    const modules = [fs, fs.promises, child_process, net, threads, globalThis, process];
    const all = () => modules.flatMap((module) => Reflect.ownKeys(module).map((key) => Object.getOwnPropertyDescriptor(module, key)).map(({ value, get }) => value ?? get).filter((value) => typeof value === "function"));
    const before = all();
    await import(process.env.CLIENT);
    const after = all();
    console.log(JSON.stringify([before.length === after.length, before.every((value, at) => value === after[at]), process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort|Pipe/.test(name) && name !== "PipeWrap")]));
  `);
  expect(saidBy(await runProgram([], program, env))).toEqual([true, true, []]);
});

test("an option that is misspelt, or an engine of this thread only: refused, not weakened", async () => {
  const program = programOf(`
    import { statSync } from "node:fs";
    import { Worker } from "node:worker_threads";
    const { Decision, installInterceptors } = await import(process.env.CLIENT);
    ${tried}
    const engine = { evaluate: async () => Decision.allow() };
    const wrong = [{ engine, fs: 1 }, { engine, excec: false }, { engine, enforcement: "off" }, {}].map((options) => tried(() => installInterceptors(options)));
    const { uninstall } = installInterceptors({ engine });
    const sync = tried(() => statSync("/tmp"));
    const later = await (await import("node:fs/promises")).stat("/tmp").then(() => "ran", (error) => error.name);
    const thread = tried(() => new Worker("", { eval: true }));
    uninstall();
    const { uninstall: again } = installInterceptors({ engine: { ...engine, evaluateSync: () => Decision.allow() } });
    console.log(JSON.stringify([...wrong, sync, later, thread, tried(() => statSync("/tmp")), tried(() => new Worker("", { eval: true }))]));
  `);
  expect(saidBy(await runProgram([], program, env))).toEqual([
    ...Array.from({ length: 4 }, () => "TypeError"),
    "BlockedError",
    "ran",
    "BlockedError",
    "ran",
    "BlockedError",
  ]);
});
