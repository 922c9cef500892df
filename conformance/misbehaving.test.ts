import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockedError, enforceToolCall, RemoteEngine } from "../client-node/index.ts";
import { conformanceMisbehave } from "./misbehave-command.ts";
import { misbehave, misbehaviours } from "./misbehaving-daemon.ts";
import { nodeClient } from "./replay/node-client.ts";
import { type ClientUnderTest, type MisbehaviourOutcome, runMisbehaviours } from "./run-misbehaving.ts";
import { packageRoot } from "./running-daemon.ts";

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "il-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const problems = (outcomes: readonly MisbehaviourOutcome[]): readonly string[] =>
  outcomes.filter(({ problem }) => problem !== null).map(({ name, problem }) => `${name}: ${problem}`);

test("the Node client blocks every misbehaviour and allows every control, in less than 30 s", async () => {
  const started = Date.now();
  const outcomes = await runMisbehaviours(nodeClient);
  expect(problems(outcomes)).toEqual([]);
  expect(outcomes.map(({ name }) => name)).toEqual(misbehaviours.map(({ name }) => name));
  expect(Date.now() - started).toBeLessThan(30_000);
}, 60_000);

class Blocked extends Error {}

const clientThat = (call: ClientUnderTest["call"]) => (): ClientUnderTest => ({
  call,
  isBlocked: (error) => error instanceof Blocked,
  close: async () => undefined,
});

const expected = (what: "allow" | "block"): readonly string[] =>
  misbehaviours.filter((one) => one.expect === what).map(({ name }) => name);

test("a client that blocks everything fails every control and nothing else", async () => {
  const outcomes = await runMisbehaviours(clientThat(() => Promise.reject(new Blocked())));
  expect(outcomes.filter(({ problem }) => problem !== null).map(({ name }) => name)).toEqual(expected("allow"));
}, 60_000);

test("a client that allows everything fails every misbehaviour and no control", async () => {
  const outcomes = await runMisbehaviours(clientThat(() => Promise.resolve()));
  expect(outcomes.filter(({ problem }) => problem !== null).map(({ name }) => name)).toEqual(expected("block"));
}, 60_000);

test("a client that fails with another error than its blocked error fails everything", async () => {
  const outcomes = await runMisbehaviours(clientThat(() => Promise.reject(new TypeError("crash"))));
  expect(problems(outcomes)).toHaveLength(misbehaviours.length);
}, 60_000);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const started = async (args: readonly string[]): Promise<{ child: ChildProcess; stderr: () => string }> => {
  const script = join(packageRoot(), "conformance", "misbehave.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: packageRoot(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  for (let waited = 0; !text.includes("\n") && child.exitCode === null && waited < 20_000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { child, stderr: () => text };
};

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("exit", (code) => resolve(code)));

test("as a process of its own it serves one misbehaviour until SIGTERM, and leaves no socket", async () => {
  const socket = join(directory, "one.sock");
  const { child, stderr } = await started(["verdict-true", "--socket", socket]);
  expect(stderr()).toBe(`misbehaving on ${socket}\n`);
  const engine = new RemoteEngine(socket, { timeout: 1 });
  await expect(enforceToolCall("ping", {}, { engine })).rejects.toThrow(BlockedError);
  await engine.close();
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  expect(await exists(socket)).toBe(false);
}, 60_000);

test("as a process it serves all of them at once, each on its own socket", async () => {
  const { child } = await started(["--all", directory, "--timeout-ms", "400"]);
  try {
    const list = JSON.parse(await readFile(join(packageRoot(), "conformance", "misbehaviours.json"), "utf8")) as {
      readonly misbehaviours: readonly { readonly name: string }[];
    };
    for (const { name } of list.misbehaviours) {
      expect(await exists(join(directory, `${name}.sock`)), name).toBe(name !== "no-socket");
    }
    const engine = new RemoteEngine(join(directory, "well-behaved.sock"), { timeout: 1 });
    expect(await enforceToolCall("ping", { a: 1 }, { engine })).toEqual({ a: 1 });
    await engine.close();
  } finally {
    child.kill("SIGTERM");
    await ended(child);
  }
}, 60_000);

test("a call without a name or a socket is a usage error", async () => {
  const { child, stderr } = await started(["verdict-true"]);
  expect(await ended(child)).toBe(2);
  expect(stderr()).toMatch(/^usage: /);
}, 60_000);

test("a name that is none is refused in one line", async () => {
  await expect(misbehave("verdict-5", join(directory, "x.sock"))).rejects.toThrow(
    'no misbehaviour is named "verdict-5"; conformance/misbehaviours.json lists them',
  );
  const { exitCode, lines } = await conformanceMisbehave(
    { name: "verdict-5", socket: join(directory, "x.sock") },
    AbortSignal.abort(),
    () => undefined,
  );
  expect(exitCode).toBe(2);
  expect(lines).toHaveLength(1);
});

test("a path that cannot be served is refused in one line", async () => {
  const { exitCode, lines } = await conformanceMisbehave(
    { name: "well-behaved", socket: join(directory, "missing", "x.sock") },
    AbortSignal.abort(),
    () => undefined,
  );
  expect(exitCode).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/^cannot serve: E[A-Z]+$/)]);
});
