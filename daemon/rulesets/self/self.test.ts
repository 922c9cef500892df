import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { judged, putTo } from "../../engine/judging.testkit.ts";
import { runExamples } from "../examples.ts";
import { selfProtection } from "./index.ts";
import type { DaemonItself } from "./places.ts";
import { homeOfDaemon, protectedIn } from "./testing.ts";

test("every example of the daemon's own rules holds", async () => {
  const outcomes = await runExamples(selfProtection(protectedIn(homeOfDaemon())), Date.now());
  expect(outcomes.length).toBeGreaterThan(30);
  expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
});

/** What is said of one call: nothing, or what is blocked and which argument it was. */
const said = (home: string, action: string, args: WireObject, daemon: Partial<DaemonItself> = {}): string => {
  const { policy_id, reason, attributed_to } = judged(selfProtection(protectedIn(home, daemon)).rules, {
    event: { action },
    args,
  });
  return policy_id === null ? "" : `${policy_id} ${attributed_to}: ${reason}`;
};

const saidLater = async (...[home, action, args, daemon]: Parameters<typeof said>): Promise<string> => {
  const { rules } = selfProtection(protectedIn(home, daemon));
  return (await putTo(rules, { event: { action }, args })).reason ?? "";
};

describe("files", () => {
  test("every way to alter each of the daemon's files is refused, and names the argument", () => {
    const home = homeOfDaemon();
    const files: readonly [path: string, what: string][] = [
      ["run/guard.sock", "the daemon's socket"],
      ["run/guard.sock.restarting", "the daemon's socket"],
      ["run/guard.sock.lock", "the daemon's socket"],
      ["state", "the daemon's state directory"],
      ["state/ledger.db", "the daemon's state directory"],
      ["state/store.key", "the key of the daemon's store"],
      ["state/operators.json", "the daemon's state directory"],
      ["state/operator.sock", "the socket of operators"],
      ["operators/ann.token", "the tokens of operators"],
      ["interlock.yaml", "the daemon's configuration"],
      ["rules/own.json", "a rule set"],
      ["rules/own.ts", "the source of a rule set"],
      ["keys/rules.key", "a private key"],
      ["tokens.key", "a private key"],
      ["state/STOP", "the daemon's state directory"],
      ["keys/rules.key.pub", "a trusted key"],
      ["keyring.json", "the keyring"],
      ["scopes.signed.json", "the scope document"],
      ["program/engine-worker.js", "the daemon's program"],
    ];
    for (const [name, what] of files) {
      const path = join(home, name);
      const refused = (argument: string): string => `interlock.self.files ${argument}: it would alter ${what}`;
      for (const action of ["writeFile", "appendFile", "truncate", "unlink", "rm", "rmdir", "mkdir", "chmod", "chown"])
        expect([action, said(home, `fs.${action}`, { path })]).toEqual([action, refused("path")]);
      for (const action of ["lchown", "utimes", "lutimes", "createWriteStream", "mkdtemp"])
        expect([action, said(home, `fs.${action}`, { path })]).toEqual([action, refused("path")]);
      for (const action of ["rename", "copyFile", "cp", "link"])
        expect([action, said(home, `fs.${action}`, { path: "/srv/x", dest: path })]).toEqual([action, refused("dest")]);
      expect(said(home, "fs.rename", { path, dest: "/srv/x" })).toBe(refused("path"));
      expect(said(home, "fs.link", { path, dest: "/srv/x" })).toBe(refused("path"));
      expect(said(home, "fs.symlink", { target: path, path: "/srv/x" })).toBe(refused("target"));
      expect(said(home, "fs.symlink", { target: "/srv/x", path })).toBe(refused("path"));
      for (const flags of ["w", "a", "r+", "wx+", 1, 2, 64, 512, 1024, "unheard-of"])
        expect(said(home, "fs.open", { path, flags })).toBe(refused("path"));
      expect(said(home, "fs.createReadStream", { path, options: { flags: "w+" } })).toBe(refused("path"));
      expect(said(home, "fs.readFile", { path, options: { flag: "a+" } })).toBe(refused("path"));
      expect(said(home, "fs.writeFile", { path: path.toUpperCase() })).toBe(refused("path"));
      expect(said(home, "fs.writeFile", { path: "x", resolved_path: path })).toBe(refused("path"));
    }
  });

  test("a folder that holds them is not removed, renamed or replaced, nor the socket's opened to others", () => {
    const home = homeOfDaemon();
    for (const path of [home, join(home, "run"), join(home, "keys"), "/"]) {
      for (const action of ["rm", "rmdir", "unlink"]) {
        expect(said(home, `fs.${action}`, { path, options: { recursive: true } })).toMatch(
          /^interlock\.self\.files path/,
        );
      }
      expect(said(home, "fs.rename", { path, dest: "/srv/x" })).toMatch(/^interlock\.self\.files path/);
      expect(said(home, "fs.rename", { path: "/srv/x", dest: path })).toMatch(/^interlock\.self\.files dest/);
    }
    expect(said(home, "fs.chmod", { path: join(home, "run"), mode: 0o777 })).toMatch(
      /the folder of the daemon's socket/,
    );
    expect(said(home, "fs.chmod", { path: home, mode: 0o777 })).toBe("");
  });

  test("what is beside them is untouched, and so is looking and reading", () => {
    const home = homeOfDaemon();
    for (const name of [
      "notes.txt",
      "state-2/ledger.db",
      "run/other.sock",
      "rules/other.ts",
      "rules/gone.ts",
      "runs",
    ]) {
      const path = join(home, name);
      for (const action of ["writeFile", "unlink", "rm", "mkdir", "chmod", "readFile", "createWriteStream"])
        expect(said(home, `fs.${action}`, { path })).toBe("");
      expect(said(home, "fs.rename", { path, dest: `${path}.old` })).toBe("");
    }
    expect(said(home, "fs.mkdir", { path: join(home, "run"), options: { recursive: true } })).toBe("");
    for (const name of ["interlock.yaml", "state/ledger.db", "rules/own.ts", "keys/rules.key.pub"]) {
      for (const action of ["readFile", "stat", "readdir", "access", "watch", "createReadStream", "copyFile", "open"])
        expect(said(home, `fs.${action}`, { path: join(home, name), dest: "/srv/x" })).toBe("");
    }
    expect(said(home, "refund", { path: join(home, "state/ledger.db") })).toBe("");
  });

  test("the configuration is not read where it holds the password of what daemons share", () => {
    const home = homeOfDaemon();
    const reads = (coordination: string, store = "sqlite") =>
      protectedIn(home, {}, { coordination, store }).places.some(
        ({ path, isSecret }) => path.endsWith("interlock.yaml") && isSecret,
      );
    expect(reads("local")).toBe(false);
    expect(reads("redis://10.0.0.1/0")).toBe(false);
    expect(reads("redis://:hunter2@10.0.0.1/0")).toBe(true);
    expect(reads("local", "postgres://me:hunter2@10.0.0.1/app")).toBe(true);
    expect(reads("local", "postgres://10.0.0.1/app?password=hunter2")).toBe(true);
  });

  test("secrets are not read either, nor copied with the folder that holds them", () => {
    const home = homeOfDaemon();
    writeFileSync(join(home, "keys/tokens.key"), "");
    writeFileSync(join(home, "keys/tokens.key.pub"), "");
    expect(said(home, "fs.readFile", { path: join(home, "keys/tokens.key.pub") })).toBe("");
    for (const name of [
      "state/store.key",
      "state/store.key.new",
      "state/receipts.key",
      "keys/rules.key",
      "keys/tokens.key",
      "operators/ann.token",
      "deployment.key",
    ]) {
      const path = join(home, name);
      for (const action of ["readFile", "open", "createReadStream", "openAsBlob", "copyFile", "cp"])
        expect(said(home, `fs.${action}`, { path, dest: "/srv/x" })).toMatch(
          /^interlock\.self\.files path: it would read /,
        );
    }
    const whole = { path: join(home, "keys"), dest: "/srv/x", options: { recursive: true } };
    expect(said(home, "fs.cp", whole)).toBe("interlock.self.files path: it would read a private key");
  });

  test("a tree is copied over a folder that holds them, unless it brings one of them", () => {
    const home = homeOfDaemon();
    const tree = homeOfDaemon();
    renameSync(join(tree, "keys"), join(tree, "other"));
    const copy = { path: join(tree, "other"), dest: home, options: { recursive: true } };
    expect(said(home, "fs.cp", copy)).toBe("");
    mkdirSync(join(tree, "other/state"));
    expect(said(home, "fs.cp", copy)).toBe("interlock.self.files dest: it would alter the daemon's state directory");
  });

  test("a link on the way to them is a name of theirs: neither it nor what it leads to is altered", () => {
    const home = homeOfDaemon();
    renameSync(join(home, "state"), join(home, "moved"));
    symlinkSync("moved", join(home, "second"));
    symlinkSync(join(home, "second"), join(home, "state"));
    for (const name of ["state", "second", "moved"]) {
      expect(said(home, "fs.unlink", { path: join(home, name) })).toMatch(/the daemon's state directory/);
      expect(said(home, "fs.writeFile", { path: join(home, name, "ledger.db") })).toMatch(
        /the daemon's state directory/,
      );
    }
  });

  test("the memory of the daemon is neither read nor written", () => {
    const home = homeOfDaemon();
    expect(said(home, "fs.open", { path: "/proc/4242/mem", flags: "r" })).toMatch(/it would read the daemon's memory/);
    expect(said(home, "fs.open", { path: "/proc/4242/task/1/mem", flags: "r+" })).toMatch(/the daemon's memory/);
    expect(said(home, "fs.writeFile", { path: "/proc/4242/oom_score_adj" })).toMatch(/the daemon's process/);
    expect(said(home, "fs.readFile", { path: "/proc/4242/status" })).toBe("");
    expect(said(home, "fs.open", { path: "/proc/42424/mem", flags: "r" })).toBe("");
  });

  test("nor by what else has Node write a file, or make a socket", () => {
    const home = homeOfDaemon();
    const path = join(home, "state/ledger.db");
    const refused = "interlock.self.files path: it would alter the daemon's state directory";
    for (const action of ["sqlite.DatabaseSync", "sqlite.backup", "wasi.WASI", "v8.writeHeapSnapshot", "net.listen"])
      expect([action, said(home, action, { path })]).toEqual([action, refused]);
    for (const action of ["module.enableCompileCache", "trace_events.createTracing", "process.report.directory"])
      expect([action, said(home, action, { path: ".", resolved_path: join(home, "state") })]).toEqual([
        action,
        refused,
      ]);
    expect(said(home, "wasi.WASI", { path: home })).toMatch(/^interlock\.self\.files path: /);
    expect(said(home, "net.listen", { path: join(home, "run/guard.sock.restarting") })).toMatch(/the daemon's socket/);
    expect(said(home, "net.listen", { path: join(home, "run/other.sock") })).toBe("");
    expect(said(home, "sqlite.DatabaseSync", { path, options: { readOnly: true } })).toBe("");
  });

  test("a thread of the daemon's is the daemon: by its number there is its memory, and it is signalled", async () => {
    const home = homeOfDaemon();
    const daemon = { pid: process.pid };
    const threads = readdirSync("/proc/self/task")
      .map(Number)
      .filter((number) => number !== process.pid);
    expect(threads).not.toEqual([]);
    for (const number of threads) {
      const path = `/proc/${number}/mem`;
      expect(said(home, "fs.open", { path, flags: "r" }, daemon)).toMatch(/it would read the daemon's memory/);
      expect(said(home, "fs.writeFile", { path: `/proc/${number}/comm` }, daemon)).toMatch(/the daemon's process/);
      expect(said(home, "process.kill", { pid: number, signal: 9 }, daemon)).toMatch(/it would signal the daemon/);
      for (const command of [`kill -9 ${number}`, `gdb -p ${number}`, `dd of=${path}`])
        expect(await saidLater(home, "child_process.exec", { command }, daemon)).toMatch(/daemon/);
    }
  });

  test("what the client marks as the guard's own package is not altered", () => {
    const home = homeOfDaemon();
    const refused = "interlock.self.files path: it would alter the guard of this process";
    expect(said(home, "fs.writeFile", { path: "/srv/a.js", own_path: "inside" })).toBe(refused);
    expect(said(home, "fs.rm", { path: "/srv", own_path: "above" })).toBe(refused);
    expect(said(home, "fs.rename", { path: "/srv/x", dest: "/srv/a.js", own_dest: "inside" })).toMatch(/ dest: /);
    expect(said(home, "fs.readFile", { path: "/srv/a.js", own_path: "inside" })).toBe("");
    expect(said(home, "fs.utimes", { path: "/srv", own_path: "above" })).toBe("");
  });
});

describe("the daemon", () => {
  test("is not signalled: by its number in any spelling, in its group, or among all", () => {
    const home = homeOfDaemon();
    const refused = "interlock.self.daemon pid: it would signal the daemon";
    for (const pid of [4242, "4242", 4242.5, 4242 + 2 ** 32, -4242, -4200, 0, -1, "0"])
      expect([pid, said(home, "process.kill", { pid, signal: "SIGTERM" })]).toEqual([pid, refused]);
    expect(said(home, "process.kill", { pid: 4242 })).toBe(refused);
    expect(said(home, "process._debugProcess", { pid: 4242 })).toBe(refused);
    for (const pid of [4243, 424, -4243, 4200, "x", null, {}])
      expect(said(home, "process.kill", { pid, signal: 9 })).toBe("");
    expect(said(home, "process.kill", { pid: 4242, signal: 0 })).toBe("");
  });
});

describe("the socket", () => {
  test("is not connected to, under any of its names", () => {
    const home = homeOfDaemon();
    symlinkSync("run", join(home, "link"));
    writeFileSync(join(home, "run/guard.sock"), "");
    for (const path of ["run/guard.sock", "run//guard.sock", "state/../run/guard.sock", "RUN/guard.sock"])
      expect(said(home, "net.connect", { path: `${home}/${path}` })).toMatch(/^interlock\.self\.socket path: /);
    const linked = { path: `${home}/link/guard.sock`, resolved_path: `${home}/run/guard.sock` };
    expect(said(home, "tls.connect", linked)).toMatch(/^interlock\.self\.socket path: /);
    expect(said(home, "http.request", { socketPath: `${home}/run/guard.sock` })).toMatch(/\.socket socketPath: /);
    expect(said(home, "net.connect", { path: `${home}/run/guard.sock.other` })).toBe("");
  });
});
