import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { runDaemon, startDaemon } from "../kit/daemon.ts";
import { expectRefused } from "../kit/expect-refused.ts";
import { makePlace, shortDirectory } from "../kit/place.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

const good = ruleModule(plainRule());
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** A directory that another user owns: made one where we are root, else one of root's. */
const foreignDirectory = (): string => {
  if (!isRoot) return "/";
  const directory = shortDirectory();
  chownSync(directory, nobody, nobody);
  return directory;
};

const withSocket = (directory: string, mode: number): { path: string; args: string[] } => {
  mkdirSync(directory);
  chmodSync(directory, mode);
  const path = join(directory, "g.sock");
  return { path, args: ["--socket", path] };
};

test("configuration errors name the file, the line and the setting", async () => {
  const place = await makePlace(good);
  writeFileSync(place.config, "unknown: allow\nsocket: g.sock\nunknwon: block\n");
  await expectRefused(place, 2, /interlock\.yaml:3: unknown setting "unknwon"/);
  writeFileSync(place.config, "socket: g.sock\nunknown: maybe\n");
  await expectRefused(place, 2, /interlock\.yaml:2: unknown: /);
  writeFileSync(place.config, "socket: g.sock\nrules:\n  - a.json\n  - 7\n");
  await expectRefused(place, 2, /interlock\.yaml:4: rules\.1: /);
  writeFileSync(place.config, "socket: g.sock\n  state: [\n");
  await expectRefused(place, 2, /interlock\.yaml:\d+: /);
  await expectRefused(place, 2, /none\.yaml: the configuration cannot be read \(ENOENT\)/, ["--config", "none.yaml"]);
});

test("an unknown flag, a flag without its value, and a value that is none of its choices", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 2, /unknown option '--sokcet'/, ["--sokcet", "x"]);
  await expectRefused(place, 2, /argument missing/, ["--socket"]);
  await expectRefused(place, 2, /Allowed choices are allow, escalate, block/, ["--unknown", "maybe"]);
  await expectRefused(place, 2, /too many arguments/, ["serve"]);
});

test("a state directory whose parent is missing", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 5, /cannot create \S+none\/state \(ENOENT\)/, ["--state", join(place.home, "none/state")]);
  expect(existsSync(join(place.home, "none"))).toBe(false);
});

test("a state directory that is a symbolic link, that others can enter, or that is a file", async () => {
  const place = await makePlace(good);
  mkdirSync(place.state, { mode: 0o700 });
  symlinkSync(place.state, join(place.home, "link"));
  await expectRefused(place, 5, /is a symbolic link/, ["--state", join(place.home, "link")]);
  chmodSync(place.state, 0o755);
  await expectRefused(place, 5, /can be entered by group or world; run chmod 700/);
  expect(modeOf(place.state)).toBe("755");
  writeFileSync(join(place.home, "file"), "mine");
  await expectRefused(place, 5, /is not a directory/, ["--state", join(place.home, "file")]);
  expect(readFileSync(join(place.home, "file"), "utf8")).toBe("mine");
});

test("a state directory of another user", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 5, /belongs to another user/, ["--state", foreignDirectory()]);
});

test("a state directory that cannot be written", async () => {
  const place = await makePlace(good);
  const state = join(place.home, "locked");
  mkdirSync(state, { mode: 0o500 });
  // Root may write anywhere: the daemon runs as another user then, in a home of that user's.
  for (const path of isRoot ? [place.home, place.rules, place.config, state] : []) chownSync(path, nobody, nobody);
  const trust = join(place.home, "trust.pub");
  writeFileSync(trust, readFileSync(place.trust));
  const args = ["--state", state, "--trust", trust];
  await expectRefused(place, 5, /cannot write to \S+locked \(EACCES\)/, args, isRoot ? nobody : undefined);
});

test("a ledger that is damaged, and one that is something else", async () => {
  const place = await makePlace(good);
  await (await startDaemon(place)).stop();
  const ledger = join(place.state, "ledger.db");
  const bytes = readFileSync(ledger);
  writeFileSync(ledger, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
  await expectRefused(place, 5, /ledger\.db/);
  writeFileSync(ledger, "this is not a database, and it is longer than a header of one hundred bytes. ".repeat(9));
  await expectRefused(place, 5, /ledger\.db/);
  expect(readFileSync(ledger, "utf8")).toMatch(/^this is not a database/);
});

test("a socket directory that others can enter keeps its mode and is refused", async () => {
  const place = await makePlace(good);
  for (const mode of [0o755, 0o750, 0o701, 0o1700]) {
    const directory = join(place.home, mode.toString(8));
    const { path, args } = withSocket(directory, mode);
    await expectRefused(place, 4, mode === 0o1700 ? /sticky/ : /others can enter it; run chmod 0700/, args);
    expect(modeOf(directory)).toBe(mode.toString(8));
    expect(existsSync(path)).toBe(false);
  }
});

test("a socket directory of another user", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 4, /its directory belongs to uid \d+/, ["--socket", join(foreignDirectory(), "g.sock")]);
});

test("a socket path that is too long, or below a file", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 4, /longer than 103 bytes/, ["--socket", join(place.home, "x".repeat(90))]);
  await expectRefused(place, 4, /its directory cannot be made/, ["--socket", join(place.config, "g.sock")]);
});

test("a file, a directory and a symbolic link at the socket's path are refused and left untouched", async () => {
  const place = await makePlace(good);
  const path = join(place.home, "taken");
  const refused = () => expectRefused(place, 4, /something that is not a socket is there/, ["--socket", path]);
  writeFileSync(path, "mine");
  await refused();
  expect(readFileSync(path, "utf8")).toBe("mine");
  const link = join(place.home, "link");
  symlinkSync(path, link);
  await expectRefused(place, 4, /something that is not a socket is there/, ["--socket", link]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  await expectRefused(place, 4, /something that is not a socket is there/, ["--socket", place.home.concat("/state")]);
});

test("a missing socket directory is created 0700, the socket is 0600, a relative path is one from here", async () => {
  const place = await makePlace(good);
  const directory = join(place.home, "a", "b");
  writeFileSync(place.config, readFileSync(place.config, "utf8").replace("socket: g.sock", "socket: a/b/g.sock"));
  const daemon = await startDaemon({ ...place, socket: join(directory, "g.sock") });
  expect(modeOf(directory)).toBe("700");
  expect(modeOf(join(directory, "g.sock"))).toBe("600");
  expect(modeOf(place.state)).toBe("700");
  expect((await daemon.stop()).code).toBe(0);
  expect(existsSync(join(directory, "g.sock"))).toBe(false);
});

test("a dead socket is replaced: the daemon was killed and starts again", async () => {
  const place = await makePlace(good);
  await (await startDaemon(place)).kill();
  expect(lstatSync(place.socket).isSocket()).toBe(true);
  const daemon = await startDaemon(place);
  expect((await daemon.stop()).code).toBe(0);
});

test("a second daemon on the same socket ends with 3, and the first goes on", async () => {
  const place = await makePlace(good);
  await startDaemon(place);
  const second = await runDaemon(place, ["--state", join(place.home, "other")]);
  expect(second).toMatchObject({ code: 3, stderr: `interlock-sidecar: another daemon serves ${place.socket}\n` });
  (await RawConnection.open(place.socket)).drop();
});

test("a second daemon on the same state directory ends with 3, and serves nothing", async () => {
  const place = await makePlace(good);
  await startDaemon(place);
  const path = join(place.home, "2.sock");
  const second = await runDaemon(place, ["--socket", path]);
  expect(second).toMatchObject({
    code: 3,
    stderr: `interlock-sidecar: another daemon keeps its ledger in ${place.state}\n`,
  });
  expect(existsSync(path)).toBe(false);
  (await RawConnection.open(place.socket)).drop();
});

test("a socket for operators that cannot be served is refused, and says by which setting it is chosen", async () => {
  const settings = (path: string): string => `unknown: allow\noperator_socket: ${JSON.stringify(path)}\n`;
  const open = shortDirectory();
  chmodSync(open, 0o750);
  const entered = await makePlace(good, settings(join(open, "o.sock")));
  await expectRefused(entered, 4, /its directory has mode 0750, so others can enter it/);
  const long = await makePlace(good, settings(`/tmp/${"x".repeat(110)}/o.sock`));
  await expectRefused(long, 4, /choose a shorter one with operator_socket/);
  const same = await makePlace(good, settings("g.sock"));
  await expectRefused(same, 2, /operator_socket and socket are both /);
  const taken = await makePlace(good, settings("file"));
  writeFileSync(join(taken.home, "file"), "mine");
  await expectRefused(
    taken,
    4,
    /something that is not a socket is there; move it away or choose another path with operator_socket/,
  );
  expect(readFileSync(join(taken.home, "file"), "utf8")).toBe("mine");
});
