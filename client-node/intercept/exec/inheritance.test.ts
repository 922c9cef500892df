import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, receiptsOf, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { start } from "../../../test/kit/processes.ts";
import { client, prelude, printed, runGuarded, saidBy } from "./testing/guarded-program.ts";
import { execRules } from "./testing/rules.ts";

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(execRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

/** A child that says whether it may run what is blocked, and read what is blocked; the words stand in no argument of its own. */
const files = `
import { writeFileSync } from "node:fs";
const word = "block" + "me";
const tries = 'const word = "block" + "me"; let said = [];' +
  'for (const step of [() => require("child_process").execSync("echo " + word), () => require("fs").readFileSync(word)])' +
  '{ try { step(); said.push("ran"); } catch (error) { said.push(error.name); } }';
writeFileSync("child.cjs", tries + 'console.log(said.join())');
writeFileSync("parent.cjs", 'require("child_process").fork("./child.cjs", [], { execArgv: [], env: {} })');
writeFileSync("before.cjs", tries + 'console.log(said.join()); process.exit()');
const node = process.execPath;
const pipe = { stdio: ["ignore", "pipe", "inherit"] };
`;

const guarded = "BlockedError,BlockedError";

describe("a child Node process is guarded", () => {
  const ways: Readonly<Record<string, string>> = {
    fork: `output(fork("./child.cjs", [], { stdio: ["ignore", "pipe", "inherit", "ipc"] }))`,
    "fork without flags and environment": `output(fork("./child.cjs", [], { execArgv: [], env: {}, stdio: ["ignore", "pipe", "inherit", "ipc"] }))`,
    "the child of a child": `output(fork("./parent.cjs", { env: {}, stdio: ["ignore", "pipe", "inherit", "ipc"] }))`,
    spawn: `output(spawn(node, ["child.cjs"], pipe))`,
    "spawn without its environment": `output(spawn(node, ["child.cjs"], { ...pipe, env: {} }))`,
    "spawn with NODE_OPTIONS of its own": `output(spawn(node, ["child.cjs"], { ...pipe, env: { NODE_OPTIONS: "--no-warnings", INTERLOCK_SOCKET: "/nowhere" } }))`,
    "spawn with names that end in the sign": `output(spawn(node, ["child.cjs"], { ...pipe, env: { "NODE_OPTIONS=": "x", "INTERLOCK_SOCKET=/nowhere": "" } }))`,
    "spawnSync with names that end in the sign": `text(spawnSync(node, ["child.cjs"], { env: { "NODE_OPTIONS=": "x", "INTERLOCK_SOCKET=/nowhere": "" } }).stdout)`,
    spawnSync: `text(spawnSync(node, ["child.cjs"]).stdout)`,
    "spawnSync without its environment": `text(spawnSync(node, ["child.cjs"], { env: {} }).stdout)`,
    execFileSync: `text(execFileSync(node, ["child.cjs"], { env: { NODE_OPTIONS: "" } }))`,
    "a shell between": `text(execSync("true; " + node + " child.cjs", { env: {} }))`,
    "exec of a shell": `output(exec(node + " child.cjs | cat", { env: {} }))`,
    "node on the PATH": `text(execSync("node child.cjs"))`,
    "what is required first": `text(execFileSync(node, ["--require", "./before.cjs", "child.cjs"]))`,
    "after the variables are deleted": `(delete process.env.NODE_OPTIONS, delete process.env.INTERLOCK_SOCKET, text(execSync("node child.cjs")))`,
    "a start beneath the functions": `(() => { const child = new ChildProcess(); child.spawn({ file: node, args: ["node", "child.cjs"], stdio: "pipe" }); return output(child); })()`,
  };
  it.each(["mjs", "cjs"] as const)("however it is started (a program in %s)", async (kind) => {
    const steps = Object.entries(ways).map(([name, way]) => `await later(${JSON.stringify(name)}, () => ${way});`);
    const text = `${prelude}${files}${steps.join("\n")}${printed}`;
    const program =
      kind === "mjs" ? text : `import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(atHome(text))}`)});`;
    expect(await saidBy(place, program, { kind })).toEqual(
      Object.fromEntries(Object.keys(ways).map((name) => [name, guarded])),
    );
  });

  it("by the same principal", async () => {
    await runGuarded(
      place,
      `${prelude}execFileSync(process.execPath, ["-e", "require('child_process').execSync('true')"]);`,
      {
        env: { INTERLOCK_PRINCIPAL: "parent" },
      },
    );
    const asked = (await receiptsOf(place)).filter(({ action }) => action === "child_process.execSync");
    expect(asked.at(-1)?.principal).toBe("parent");
  });
});

/** A module of a data: URL has no folder to require from. */
const atHome = (text: string): string =>
  text.replace("createRequire(import.meta.url)", `createRequire(process.cwd() + "/")`);

describe("a start that takes the guard from the child", () => {
  it("is blocked, unless a rule allows it by name", async () => {
    const ways: Readonly<Record<string, string>> = {
      "env -i": `spawnSync("env", ["-i", node, "child.cjs"])`,
      "env -": `spawnSync("/usr/bin/env", ["-", node, "child.cjs"])`,
      "env -u": `spawnSync("env", ["-u", "NODE_OPTIONS", node, "child.cjs"])`,
      "an assignment": `execSync("NODE_OPTIONS= node child.cjs")`,
      unset: `execSync("unset NODE_OPTIONS; node child.cjs")`,
      "another socket": `spawnSync("env", ["INTERLOCK_SOCKET=/nowhere", node, "child.cjs"])`,
      internals: `spawnSync(node, ["--expose_internals", "child.cjs"])`,
      "a snapshot": `spawnSync(node, ["--snapshot-blob", "x.blob", "--build-snapshot", "child.cjs"])`,
      "a snapshot in NODE_OPTIONS": `spawnSync(node, ["child.cjs"], { env: { NODE_OPTIONS: "--snapshot-blob=x.blob" } })`,
      "a snapshot in the NODE_OPTIONS of a process": `spawn(node, ["child.cjs"], { env: { NODE_OPTIONS: "--snapshot-blob=x.blob" } })`,
      "fork with internals": `fork("child.cjs", { execArgv: ["--expose-internals"] })`,
      "exec with env -i": `exec("env -i node child.cjs")`,
      "a start beneath the functions": `new ChildProcess().spawn({ file: "env", args: ["env", "-i", node], stdio: "ignore" })`,
    };
    const steps = Object.entries(ways).map(
      ([name, way]) => `now(${JSON.stringify(name)}, () => { ${way}; return "ran"; });`,
    );
    expect(
      await saidBy(
        place,
        `${prelude}${files}${steps.join("\n")}now("by name", () => text(spawnSync("env", ["-i", "/bin/echo", "mayclear"]).stdout));${printed}`,
      ),
    ).toEqual({
      ...Object.fromEntries(Object.keys(ways).map((name) => [name, "BlockedError"])),
      "by name": "mayclear",
    });
  });
});

describe("when the daemon is killed", () => {
  it("every form is blocked, and the program ends by itself", async () => {
    // The program ends the daemon by itself here.
    const other = await makePlace(execRules, "unknown: allow\nself_protection: off\n");
    const { pid } = await startDaemon(other);
    expect(
      await saidBy(
        other,
        `${prelude}
process.kill(${pid}, "SIGKILL");
for (const [name, step] of Object.entries({
  execSync: () => execSync("true"),
  execFileSync: () => execFileSync("true"),
  spawnSync: () => spawnSync("true"),
  spawn: () => spawn("true"),
  fork: () => fork("true"),
  kill: () => process.kill(process.pid, 0),
  promisified: () => promisify(execFile)("true"),
})) await later(name, step);
said.exec = await called((done) => exec("true", done));
${printed}`,
        { env: { INTERLOCK_TIMEOUT: "0.3" } },
      ),
    ).toEqual({
      ...Object.fromEntries(
        ["execSync", "execFileSync", "spawnSync", "spawn", "fork", "kill", "promisified"].map((name) => [
          name,
          "BlockedError",
        ]),
      ),
      exec: [true, "BlockedError"],
    });
  });
});

describe("a guard that only watches, or is let go of", () => {
  const built = (file: string): string =>
    JSON.stringify(new URL(`../../${file}`, pathToFileURL(`${client}/a/b/`)).href);

  it("refuses nothing by itself, and hands nothing on", async () => {
    const text = `${prelude}
const { installInterceptors } = await import(${built("client-node/intercept/install.js")});
const { RemoteEngine } = await import(${built("client-node/remote-engine.js")});
const tries = () => [text(spawnSync("env", ["-i", "/bin/echo", "ran"]).stdout), typeof process.binding("natives"),
  text(execFileSync(process.execPath, ["-p", "String(process.env.NODE_OPTIONS)"], { env: {} })), text(execSync("echo blockme"))];
const installed = installInterceptors({ engine: new RemoteEngine(${JSON.stringify(place.socket)}), enforcement: "monitor" });
now("watching", tries);
installed.uninstall();
now("let go of", tries);
const again = installInterceptors({ engine: new RemoteEngine(${JSON.stringify(place.socket)}) });
now("again", tries);
const captured = spawnSync;
again.uninstall();
now("captured", () => text(captured("env", ["-i", "/bin/echo", "blockme"]).stdout));
process.stdout.write(JSON.stringify(said), () => process.exit());`;
    const program = join(place.home, "watching.mjs");
    await writeFile(program, text);
    const { stdout, stderr } = await start(program, [], { env: place.env, cwd: place.home }).ended;
    const freely = ["ran", "object", "undefined", "blockme"];
    expect(stderr.includes("Error")).toBe(false);
    expect(JSON.parse(stdout)).toEqual({
      watching: freely,
      "let go of": freely,
      again: "BlockedError",
      captured: "blockme",
    });
  });
});

describe("the thread of a module loader", () => {
  const load = `
import * as fs from "node:fs";
import { register } from "node:module";
fs.writeFileSync("loader.mjs", 'import fs from "node:fs"; let said = "ran"; try { fs.readFileSync("block" + "me"); } catch (error) { said = error.name; } fs.writeFileSync("said.txt", said);');
now("register", () => { register("./loader.mjs", import.meta.url); return String(fs.readFileSync("said.txt")); });`;

  it("is guarded where the program was started by --require, and refused where not", async () => {
    expect(await saidBy(place, prelude + load + printed)).toEqual({ register: "BlockedError" });
    const reason = `now("reason", () => { try { register("./loader.mjs", import.meta.url); } catch (error) { return error.message; } });`;
    expect((await saidBy(place, prelude + load + reason + printed)).reason).toContain(
      "start the guard with --require interlock-guard/require-hook instead of --import",
    );
    const program = `require("fs").writeFileSync("loads.mjs", ${JSON.stringify(prelude + load + printed)}); import("./loads.mjs");`;
    expect(await saidBy(place, program, { kind: "cjs" })).toEqual({ register: "BlockedError" });
    const receipts = (await receiptsOf(place)).filter(({ action }) => action === "module.register");
    expect(receipts.map(({ verdict }) => verdict)).toEqual(["ALLOW", "ALLOW", "ALLOW", "ALLOW"]);
    // The last one did start: what it said is what its own thread met.
    expect(await readFile(join(place.home, "said.txt"), "utf8")).toBe("BlockedError");
  });
});
