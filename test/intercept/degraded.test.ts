import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directoryFor } from "../../client-node/fallback/spool-directory.ts";
import { FallbackFiles, policyOf } from "../../client-node/testing/fallback-places.ts";
import { shortDirectory } from "../kit/place.ts";
import { client, programOf, runProgram, saidBy } from "./programs.ts";

test("in a guarded process the fallback policy decides synchronous calls and others alike, and what it writes itself asks nobody", async () => {
  const path = join(shortDirectory(), "g.sock");
  const files = new FallbackFiles(
    policyOf([{ id: "etc", effect: "allow", actions: ["fs.readFile"], where: { path: { prefix: ["/etc/"] } } }]),
  );
  const program = programOf(`
    import fs from "node:fs";
    const { RemoteEngine, installInterceptors } = await import(process.env.CLIENT);
    const { onFallback, ...options } = ${JSON.stringify(files.options({ grace_ms: 30 }))};
    const told = [];
    const engine = new RemoteEngine(process.env.INTERLOCK_SOCKET, { ...options, onFallback: (message) => told.push(message) });
    const { uninstall } = installInterceptors({ engine });
    const named = async (call) => {
      try { await call(); return "ran"; } catch (error) { return error.name; }
    };
    const said = [
      await named(() => fs.readFileSync("/etc/hosts")),
      await named(() => fs.readFileSync("/proc/version")),
      await named(() => fs.writeFileSync("/etc/interlock-never", "x")),
      await named(() => fs.promises.readFile("/etc/hosts")),
      await named(() => fs.promises.readFile("/proc/version")),
    ];
    uninstall();
    console.log(JSON.stringify({ said, told: told.length }));
  `);
  const ended = await runProgram([], program, { INTERLOCK_SOCKET: path, CLIENT: client });
  expect(saidBy(ended)).toEqual({ said: ["ran", "BlockedError", "BlockedError", "ran", "BlockedError"], told: 5 });
  const directory = directoryFor(files.spool, path);
  const kept = readdirSync(directory)
    .filter((name) => name.startsWith("decided-"))
    .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
  expect(kept.map(({ action, verdict }) => `${action} ${verdict}`).sort()).toEqual([
    "fs.readFile ALLOW",
    "fs.readFile ALLOW",
    "fs.readFile BLOCK",
    "fs.readFile BLOCK",
    "fs.writeFile BLOCK",
  ]);
});
