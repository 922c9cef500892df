import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { nodes, reachRules, saidOn } from "./testing/guarded-nodes.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace(reachRules);
  await startDaemon(place);
  mkdirSync(join(place.home, "secret"));
  mkdirSync(join(place.home, "open"));
  symlinkSync(join(place.home, "secret"), join(place.home, "innocent"));
  writeFileSync(join(place.home, "secret", "env"), "A_SECRET=1\n");
});

const unlike = (version: string, over: Record<string, unknown>, since: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(over).map(([name, value]) => [name, Number(version) >= since ? value : "none"]));

describe.each(nodes)("files that Node %s reaches without fs", (version, node) => {
  it("node:sqlite: databases, copies, and SQL that reaches another file", async () => {
    const said = await saidOn(
      node,
      place,
      `const sqlite = has("node:sqlite") ? require("node:sqlite") : null;
const when = (name, step) => (sqlite === null ? (said[name] = "none") : tried(name, step));
const { pathToFileURL } = require("node:url");
const memory = () => new sqlite.DatabaseSync(":memory:");
await when("memory", () => memory().exec("CREATE TABLE t(x); INSERT INTO t VALUES ('attach files'); VACUUM") ?? "ran");
await when("open", () => new sqlite.DatabaseSync("open/a.db").close());
await when("secret", () => new sqlite.DatabaseSync("secret/a.db"));
await when("later", () => new sqlite.DatabaseSync("secret/a.db", { open: false }));
await when("bytes", () => new sqlite.DatabaseSync(Buffer.from("secret/a.db")));
await when("url", () => new sqlite.DatabaseSync(pathToFileURL("secret/a.db")));
await when("uri", () => new sqlite.DatabaseSync("file:secre%74/a.db?mode=rwc"));
await when("uri with a host", () => new sqlite.DatabaseSync("file://localhost" + process.cwd() + "/secret/a.db"));
await when("link", () => new sqlite.DatabaseSync("innocent/a.db"));
await when("constructor", () => new (memory().constructor)("secret/a.db"));
await when("subclass", () => new (class extends sqlite.DatabaseSync {})("secret/a.db"));
await when("attach", () => memory().exec("SELECT 1; aTTach/**/'secret/b.db'As b"));
await when("prepared attach", () => memory().prepare("ATTACH ? AS b").run("secret/b.db"));
await when("vacuum into", () => memory().exec("VACUUM INTO 'secret/c.db'"));
await when("attach that a rule names", () => memory().exec("ATTACH 'open/mayreach.db' AS b"));
await when("backup", () => sqlite.backup(memory(), "secret/d.db"));
await when("backup to what is open", async () => { await sqlite.backup(memory(), "open/d.db"); });
await when("extension", () => new sqlite.DatabaseSync(":memory:", { allowExtension: true }).loadExtension("secret/e.so"));
await when("by import", async () => new (await import("node:sqlite")).DatabaseSync("secret/a.db"));
await when("tag store", () => { const db = memory(); if (db.createTagStore === undefined) return "BlockedError"; db.createTagStore().run\`ATTACH 'secret/b.db' AS b\`; });`,
    );
    const blocked = Object.fromEntries(
      [
        ...["secret", "later", "bytes", "url", "uri", "uri with a host", "link", "constructor", "subclass", "attach"],
        ...["prepared attach", "vacuum into", "backup", "extension", "by import", "tag store"],
      ].map((name) => [name, "BlockedError"]),
    );
    const ran = { memory: "ran", open: "ran", "attach that a rule names": "ran", "backup to what is open": "ran" };
    expect(said).toEqual(unlike(version, { ...blocked, ...ran }, 22));
    expect(readdirSync(join(place.home, "secret"))).toEqual(["env"]);
  });

  it("node:sqlite: a database that nobody holds is not collected while it is copied", async () => {
    const said = await saidOn(
      node,
      place,
      `if (!has("node:sqlite") || require("node:sqlite").backup === undefined) { said.copied = "ran"; return console.log(JSON.stringify(said)); }
const { backup, DatabaseSync } = require("node:sqlite");
const begun = () => backup(new DatabaseSync(":memory:"), "open/copied.db");
await tried("copied", async () => { const copy = begun(); for (let i = 0; i < 50; i++) { await new Promise(setImmediate); gc(); } await copy; gc(); await new Promise((resolve) => setTimeout(resolve, 5)); gc(); });`,
      ["--expose-gc"],
    );
    expect(said).toEqual({ copied: "ran" });
  });

  it("node:wasi: each folder that is opened for a program", async () => {
    const said = await saidOn(
      node,
      place,
      `const { WASI } = require("node:wasi");
const made = (preopens) => new WASI({ version: "preview1", preopens }).wasiImport && "made";
await tried("open", () => made({ "/": "open" }));
await tried("secret", () => made({ "/a": "open", "/b": "secret" }));
await tried("link", () => made({ "/": "innocent" }));
await tried("none", () => made(undefined));
await tried("constructor", () => { const wasi = new WASI({ version: "preview1" }); return new wasi.constructor({ version: "preview1", preopens: { "/": "secret" } }); });`,
    );
    expect(said).toEqual({
      open: "made",
      secret: "BlockedError",
      link: "BlockedError",
      none: "made",
      constructor: "BlockedError",
    });
  });

  it("what Node reads and writes by itself", async () => {
    const said = await saidOn(
      node,
      place,
      `const v8 = require("node:v8");
const module_ = require("node:module");
const traces = require("node:trace_events");
const { report } = process;
await tried("snapshot", () => v8.writeHeapSnapshot("secret/a.heapsnapshot"));
await tried("env", () => process.loadEnvFile("innocent/env"));
await tried("report", () => report.writeReport("secret/report.json"));
await tried("report directory", () => { report.directory = "secret"; });
await tried("report name", () => { report.filename = "secret/report.json"; });
await tried("report by setter", () => Object.getOwnPropertyDescriptor(report, "directory").set.call(report, "secret"));
said.directory = report.directory;
await tried("report, open", () => { report.directory = "open"; report.filename = "report.json"; report.reportOnSignal = true; report.reportOnSignal = false; report.writeReport(); });
await tried("cache", () => (module_.enableCompileCache === undefined ? "none" : module_.enableCompileCache("secret/cache")));
process.env.NODE_COMPILE_CACHE = "secret/cache";
await tried("cache without a name", () => (module_.enableCompileCache === undefined ? "none" : module_.enableCompileCache()));
await tried("traces, open", () => traces.createTracing({ categories: ["node.perf"] }).categories);
process.chdir("secret");
await tried("traces", () => traces.createTracing({ categories: ["node"] }));
await tried("near the limit", () => v8.setHeapSnapshotNearHeapLimit(1));
await tried("snapshot without a name", () => v8.writeHeapSnapshot());
await tried("env without a name", () => process.loadEnvFile());`,
    );
    const blocked = [
      ...["snapshot", "env", "report", "report directory", "report name", "report by setter", "traces"],
      ...["near the limit", "snapshot without a name", "env without a name"],
    ];
    expect(said).toEqual({
      ...Object.fromEntries(blocked.map((name) => [name, "BlockedError"])),
      directory: "",
      "report, open": "ran",
      cache: Number(version) >= 22 ? "BlockedError" : "none",
      "cache without a name": Number(version) >= 22 ? "BlockedError" : "none",
      "traces, open": "node.perf",
    });
    expect(existsSync(join(place.home, "open", "report.json"))).toBe(true);
    expect(readdirSync(join(place.home, "secret"))).toEqual(["env"]);
  });

  it("a warning of an experiment comes when a program first uses it, and not before", async () => {
    const text = (use: string): string => `const warned = [];
process.on("warning", ({ message }) => warned.push(message));
${use}
await new Promise((resolve) => setImmediate(resolve));
said.warned = warned.filter((text) => text.startsWith("WASI")).length;`;
    expect(await saidOn(node, place, text(""))).toEqual({ warned: 0 });
    const twice = `const { WASI } = require("node:wasi"); new WASI({ version: "preview1" }); new WASI({ version: "preview1" });`;
    expect(await saidOn(node, place, text(twice))).toEqual({ warned: 1 });
  });
});
