import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { client, esmHook, programOf, requireHook, runProgram, saidBy, secretRules } from "./programs.ts";

/** What a program of this text says, guarded by the daemon of a place; `said` is the object it fills in. */
const guarded = async (
  place: Place,
  text: string,
  preload: readonly string[] = ["--import", esmHook],
): Promise<Record<string, string>> => {
  const program = programOf(`
    import fs from "node:fs";
    import net from "node:net";
    import { once } from "node:events";
    const { HOME, DAEMON } = process.env;
    const said = {};
    const named = (error) => error.name === "BlockedError" ? error.decision.policy_id + " " + error.decision.attributed_to : error.code ?? error.name;
    const now = (name, step) => { try { step(); said[name] = "ran"; } catch (error) { said[name] = named(error); } };
    const later = async (name, step) => { try { await step(); said[name] = "ran"; } catch (error) { said[name] = named(error); } };
    ${text}
    console.log(JSON.stringify(said));
  `);
  const env = { INTERLOCK_SOCKET: place.socket, HOME: place.home, DAEMON: String(daemonOf.get(place)?.pid) };
  return saidBy(await runProgram(preload, program, env)) as Record<string, string>;
};
const packageFolder = dirname(dirname(dirname(requireHook)));
const daemonOf = new Map<Place, Daemon>();

const served = async (settings?: string): Promise<Place> => {
  const place = await makePlace(secretRules, settings);
  // Its home is in its command line: a test whose guard fails finds this daemon by it, and no other.
  daemonOf.set(place, await startDaemon(place, ["--config", place.config]));
  return place;
};

const attempts = `
  now("unlink socket", () => fs.unlinkSync(HOME + "/g.sock"));
  now("rename socket", () => fs.renameSync(HOME + "/g.sock", HOME + "/other.sock"));
  now("mark of a restart", () => fs.writeFileSync(HOME + "/g.sock.restarting", ""));
  await later("ledger", () => fs.promises.appendFile(HOME + "/state/receipts.journal", "x"));
  now("remove state", () => fs.rmSync(HOME + "/state", { recursive: true }));
  now("remove home", () => fs.rmSync(HOME, { recursive: true }));
  now("configuration", () => fs.writeFileSync(HOME + "/interlock.yaml", "unknown: allow"));
  now("rule set", () => fs.copyFileSync("/etc/hostname", HOME + "/rules.ruleset.json"));
  now("by descriptor", () => fs.openSync(HOME + "/rules.ruleset.json", "r+"));
  now("by a link", () => { fs.symlinkSync(HOME, HOME + "/innocent"); fs.unlinkSync(HOME + "/innocent/interlock.yaml"); });
  now("by dots", () => { process.chdir(HOME); fs.truncateSync("state/../interlock.yaml"); });
  now("store key", () => fs.readFileSync(HOME + "/state/store.key"));
  now("kill", () => process.kill(Number(DAEMON)));
  now("signal all", () => process.kill(-1, "SIGCONT"));
  await later("connect", () => once(net.connect(HOME + "/g.sock"), "connect"));
`;

describe("a guarded process and the daemon that guards it", () => {
  let place: Place;
  beforeAll(async () => {
    place = await served();
  });

  test("what guards it cannot be altered, read or spoken to from inside, and each attempt has its receipt", async () => {
    const said = await guarded(place, attempts);
    expect(said).toEqual({
      "unlink socket": "interlock.self.files path",
      "rename socket": "interlock.self.files path",
      "mark of a restart": "interlock.self.files path",
      ledger: "interlock.self.files path",
      "remove state": "interlock.self.files path",
      "remove home": "interlock.self.files path",
      configuration: "interlock.self.files path",
      "rule set": "interlock.self.files dest",
      "by descriptor": "interlock.self.files path",
      "by a link": "interlock.self.files path",
      "by dots": "interlock.self.files path",
      "store key": "interlock.self.files path",
      kill: "interlock.self.daemon pid",
      "signal all": "interlock.self.daemon pid",
      connect: "interlock.self.socket path",
    });
    expect(daemonOf.get(place)?.isAlive()).toBe(true);
    expect(existsSync(place.socket)).toBe(true);
    const refused = (await receiptsOf(place)).filter(({ policy_id }) =>
      String(policy_id).startsWith("interlock.self."),
    );
    expect(refused).toHaveLength(Object.keys(said).length);
    for (const { verdict, code, trace, policy_id } of refused) {
      expect([verdict, code]).toEqual(["BLOCK", "rule_blocked"]);
      expect(JSON.stringify(trace)).toContain(`rules/${policy_id}:DENY`);
    }
  });

  test("files beside them are a program's own", async () => {
    const said = await guarded(
      place,
      `
      now("write", () => fs.writeFileSync(HOME + "/notes.txt", "x"));
      now("folder", () => fs.mkdirSync(HOME + "/run/inner", { recursive: true }));
      now("rename", () => fs.renameSync(HOME + "/notes.txt", HOME + "/run/notes.txt"));
      now("remove", () => fs.rmSync(HOME + "/run", { recursive: true }));
      now("look", () => [fs.statSync(HOME + "/state"), fs.readdirSync(HOME + "/state"), fs.existsSync(HOME + "/g.sock")]);
      now("read", () => fs.readFileSync(HOME + "/interlock.yaml"));
      now("is the daemon there", () => process.kill(Number(DAEMON), 0));
    `,
    );
    expect(new Set(Object.values(said))).toEqual(new Set(["ran"]));
  });

  test("doctor proves it, and status says nothing of it", async () => {
    const doctor = await interlock(place, ["doctor"]);
    const said = doctor.stdout + doctor.stderr;
    for (const [rule, action] of [
      ["files", "fs.unlink"],
      ["commands", "child_process.exec"],
      ["socket", "net.connect"],
      ["daemon", "process.kill"],
    ])
      expect(said).toContain(`ok   a call that interlock.self.${rule} must block is blocked: ${action}: BLOCK`);
    expect(said).toMatch(/ok {3}it serves the rule sets that are configured: sha256:/);
    const status = await interlock(place, ["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ self_protection: "on" });
  });
});

describe("commands, and the guard's own files", () => {
  test("are judged by what they name, from the folder that they are run in", async () => {
    const place = await served();
    const said = await guarded(
      place,
      `
      import { execFileSync, execSync, spawn, spawnSync } from "node:child_process";
      now("whole path", () => execSync("cat " + HOME + "/state/ledger.db"));
      now("argument", () => execFileSync("tee", [HOME + "/interlock.yaml"]));
      now("other folder", () => execSync("rm interlock.yaml", { cwd: HOME }));
      process.chdir(HOME);
      now("own folder", () => execFileSync("rm", ["rules.ruleset.json"]));
      now("redirection", () => execSync("echo x > interlock.yaml"));
      now("shell", () => spawnSync("echo", ["x", ">", "interlock.yaml"], { shell: true }));
      now("kill", () => execSync("kill -9 " + DAEMON));
      now("by name", () => spawnSync("pkill", ["-f", process.env.HOME]));
      await later("spawn", () => once(spawn("rm", ["-rf", HOME]), "close"));
      now("plain", () => execSync("echo x > notes.txt && cat interlock.yaml && rm notes.txt"));
    `,
    );
    const refused = "interlock.self.commands command";
    const names = [
      "whole path",
      "argument",
      "other folder",
      "own folder",
      "redirection",
      "shell",
      "kill",
      "by name",
      "spawn",
    ];
    expect(said).toEqual({ ...Object.fromEntries(names.map((name) => [name, refused])), plain: "ran" });
    expect(daemonOf.get(place)?.isAlive()).toBe(true);
    const refusals = (await receiptsOf(place)).filter(({ policy_id }) => policy_id === "interlock.self.commands");
    expect(refusals).toHaveLength(names.length);
  });

  test("the package that guards is not altered on disk, by calls, links, or commands", async () => {
    const place = await served();
    // A copy, so that a guard that fails here does not take the project with it.
    const own = join(shortDirectory(), "node_modules/interlock-guard");
    cpSync(packageFolder, join(own, "dist"), { recursive: true });
    writeFileSync(join(own, "package.json"), JSON.stringify({ name: "interlock-guard", type: "module" }));
    const hook = join(own, "dist/client-node/intercept/require-hook.cjs");
    const said = await guarded(
      place,
      `
      import { execSync } from "node:child_process";
      const own = ${JSON.stringify(own)};
      now("write", () => fs.writeFileSync(own + "/dist/client-node/intercept/require-hook.cjs", ""));
      now("open", () => fs.openSync(own + "/dist/client-node/intercept/sync-worker.cjs", "r+"));
      now("exports", () => fs.writeFileSync(own + "/package.json", "{}"));
      now("remove", () => fs.rmSync(own, { recursive: true }));
      now("remove its folder", () => fs.rmSync(own + "/..", { recursive: true }));
      now("rename", () => fs.renameSync(own, own + ".old"));
      now("by a link", () => { fs.symlinkSync(own, HOME + "/own"); fs.unlinkSync(HOME + "/own/package.json"); });
      now("command", () => execSync("rm -rf " + own));
      now("command on the folder", () => execSync("rm -rf node_modules/*", { cwd: own + "/../.." }));
      now("read", () => fs.readFileSync(own + "/package.json"));
      now("look", () => execSync("ls " + own));
      now("beside", () => fs.writeFileSync(own + "/../../notes.txt", ""));
    `,
      ["--require", hook],
    );
    expect(said).toEqual({
      write: "interlock.self.files path",
      exports: "interlock.self.files path",
      open: "interlock.self.files path",
      remove: "interlock.self.files path",
      "remove its folder": "interlock.self.files path",
      rename: "interlock.self.files path",
      "by a link": "interlock.self.files target",
      command: "interlock.self.commands command",
      "command on the folder": "interlock.self.commands command",
      read: "ran",
      look: "ran",
      beside: "ran",
    });
    expect(existsSync(hook)).toBe(true);
  });

  test("its note on the process can be neither taken away nor forged, and its module can be loaded again for nothing", async () => {
    const place = await served();
    const said = await guarded(
      place,
      `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      const key = Symbol.for("interlock.installed");
      now("delete", () => { "use strict"; delete process[key]; });
      now("redefine", () => Object.defineProperty(process, key, { value: null }));
      said.take = String(process[key].take({ lists: {}, socketPath: "/x", evaluate: async () => ({ verdict: 0 }) }));
      const { RemoteEngine, installInterceptors } = await import(${JSON.stringify(client)});
      installInterceptors({ engine: { evaluate: async () => ({ verdict: 0 }), evaluateSync: () => ({ verdict: 0 }) } }).uninstall();
      delete require.cache[${JSON.stringify(requireHook)}];
      require(${JSON.stringify(requireHook)});
      now("still", () => fs.unlinkSync(HOME + "/g.sock"));
      const engine = new RemoteEngine(process.env.INTERLOCK_SOCKET, { principal: "tool" });
      await later("the program's own questions", () => engine.evaluate({ action: "plain" }));
      await engine.close();
    `,
    );
    expect(said).toEqual({
      delete: "TypeError",
      redefine: "TypeError",
      take: "null",
      still: "interlock.self.files path",
      "the program's own questions": "ran",
    });
    const asked = (await receiptsOf(place)).filter(({ action }) => action === "plain");
    expect(asked).toMatchObject([{ verdict: "ALLOW", principal: "tool" }]);
  });
});

test("the configuration takes it away, by name: said at the start, by status and by doctor", async () => {
  const place = await served("unknown: allow\nself_protection: off\n");
  const daemon = daemonOf.get(place) as Daemon;
  const warning = `WARNING: self_protection is off in ${place.config}: a guarded process may alter what guards it`;
  await until("the warning is said", () => daemon.stderr().split("\n").includes(`interlock-sidecar: ${warning}`));
  expect(await guarded(place, `now("write", () => fs.appendFileSync(HOME + "/interlock.yaml", "# a line"));`)).toEqual({
    write: "ran",
  });
  expect(readFileSync(join(place.home, "interlock.yaml"), "utf8")).toContain("# a line");
  expect((await interlock(place, ["status"])).stdout).toContain("self-protection is off");
  const doctor = await interlock(place, ["doctor"]);
  expect(doctor.stdout + doctor.stderr).toContain("the daemon protects itself: no: self_protection is off");
});
