import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace, shortDirectory } from "../kit/place.ts";
import { client, esmHook, programOf, runProgram, saidBy, secretRules, syncBridge } from "./programs.ts";

const everySync = `
  import fs from "node:fs";
  import child_process from "node:child_process";
  const calls = {
    statSync: () => fs.statSync("/tmp"),
    readFileSync: () => fs.readFileSync("/etc/hostname"),
    writeFileSync: () => fs.writeFileSync("/tmp/interlock-never", "x"),
    openSync: () => fs.openSync("/etc/hostname"),
    execSync: () => child_process.execSync("true"),
    spawnSync: () => child_process.spawnSync("true"),
    spawn: () => child_process.spawn("true"),
    createReadStream: () => fs.createReadStream("/etc/hostname"),
  };
`;

test("a daemon that is dead: every synchronous call is blocked within the timeout, and the program ends by itself", async () => {
  // Here the program itself ends the daemon, which protects itself otherwise.
  const place = await makePlace(secretRules, "unknown: allow\nself_protection: off\n");
  const daemon = await startDaemon(place);
  const program = programOf(`${everySync}
    import { once } from "node:events";
    fs.statSync("/tmp");
    process.kill(${daemon.pid}, "SIGKILL");
    const said = {};
    for (const [name, call] of Object.entries(calls)) {
      const from_ms = performance.now();
      let what = "ran";
      try {
        const handle = call();
        if (handle?.once) what = (await once(handle, "error").catch((error) => [error]))[0].name;
        else if (handle?.error) what = handle.error.name;
      } catch (error) { what = error.name; }
      said[name] = what + (performance.now() - from_ms < 900 ? "" : " late");
    }
    process.on("exit", () => { try { fs.statSync("/tmp"); } catch { console.log(JSON.stringify(said)); } });
  `);
  const ended = await runProgram(["--import", esmHook], program, {
    INTERLOCK_SOCKET: place.socket,
    INTERLOCK_TIMEOUT: "0.5",
  });
  const said = saidBy(ended) as Record<string, string>;
  expect(Object.keys(said)).toHaveLength(8);
  expect(Object.entries(said).filter(([, what]) => what !== "BlockedError")).toEqual([]);
});

test("a daemon that takes the connection and says nothing: blocked within the timeout, with its reason", async () => {
  const path = join(shortDirectory(), "g.sock");
  const server = createServer(() => {}).listen(path);
  const program = programOf(`
    import { statSync } from "node:fs";
    const { RemoteEngine, installInterceptors } = await import(process.env.CLIENT);
    installInterceptors({ engine: new RemoteEngine(process.env.INTERLOCK_SOCKET, { timeout: 0.5 }) });
    const from_ms = performance.now();
    try { statSync("/tmp"); } catch (error) {
      console.log(JSON.stringify([error.name, /no reply within 0.5s/.test(error.message), performance.now() - from_ms < 900]));
    }
  `);
  const ended = await runProgram([], program, { INTERLOCK_SOCKET: path, CLIENT: client });
  server.close();
  expect(saidBy(ended)).toEqual(["BlockedError", true, true]);
});

test("a bridge whose thread died is replaced once; afterwards, and after closing, every question is blocked", async () => {
  const place = await makePlace(secretRules);
  await startDaemon(place);
  const program = programOf(`
    import threads, { Worker } from "node:worker_threads";
    import { syncBuiltinESMExports } from "node:module";
    const started = [];
    threads.Worker = class extends Worker { constructor(...args) { super(...args); started.push(this); } };
    syncBuiltinESMExports();
    const { SyncBridge } = await import(${JSON.stringify(syncBridge)});
    const path = process.env.INTERLOCK_SOCKET;
    const settings = { timeout: 2, timeout_ms: 2000, grace_ms: 100, unreachable: "deny", fallback: null, onFallback: () => {}, principal: null, scope: null, token: { kind: "none" } };
    const ask = (bridge, args = { path: "/tmp" }) => { try { return bridge.evaluateSync({ action: "fs.stat", args }).verdict; } catch (error) { return error.message.replace(/.*: /, ""); } };
    const bridge = new SyncBridge({ path, settings });
    const said = [ask(bridge), ask(bridge, { path: "/secret" }), ask(bridge, { path: () => {} })];
    await started[0].terminate();
    said.push(ask(bridge));
    await started[1].terminate();
    said.push(ask(bridge));
    const other = new SyncBridge({ path, settings });
    said.push(ask(other));
    other.close();
    said.push(ask(other), started.length);
    console.log(JSON.stringify(said));
  `);
  expect(saidBy(await runProgram([], program, { INTERLOCK_SOCKET: place.socket }))).toEqual([
    0,
    1,
    "DataCloneError",
    0,
    "the guard's thread has ended",
    0,
    "the guard's thread is closed",
    3,
  ]);
});
