import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { scripted } from "../../client-node/testing/asking.ts";
import { judging } from "../../client-node/testing/scripted-daemon.ts";
import { until } from "../../test/kit/processes.ts";
import { program } from "../../test/kit/programs.ts";
import { endAll, type Started, startMcp } from "./testing/host.ts";
import type { Json } from "./testing/line-peer.ts";

afterEach(endAll);

const hostile = fileURLToPath(new URL("testing/hostile-server.mjs", import.meta.url));

const proxy = async (
  server: readonly string[],
  judge: (event: Json) => object = () => ({}),
  env: NodeJS.ProcessEnv = {},
): Promise<Started> => {
  const daemon = await scripted(judging(judge));
  return startMcp(
    [program("interlock"), "mcp", "--socket", daemon.path, "--", process.execPath, hostile, ...server],
    env,
  );
};

const call = (name: string, args: object = {}): object => ({ name, arguments: args });

/** Resident bytes of a process that runs. */
const resident = (pid: number | undefined): number => {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
  return Number(line?.[1]) * 1024;
};

const MiB = 1024 * 1024;

describe("the server's process", () => {
  test("has the host's environment, working directory and umask, and none of interlock's own tokens", async () => {
    const tokenFile = join(mkdtempSync(join(tmpdir(), "il-mcp-")), "token");
    writeFileSync(tokenFile, "some.token\n");
    const env = { GIVEN: "yes", INTERLOCK_TOKEN_FILE: tokenFile, INTERLOCK_OPERATOR: "ann" };
    const { peer } = await proxy(["plain"], undefined, env);
    const { result } = await peer.ask("tools/call", call("environment"));
    const seen = JSON.parse(result.content[0].text);
    expect(seen).toMatchObject({ env: { GIVEN: "yes" }, umask: process.umask(), cwd: process.cwd() });
    expect(Object.keys(seen.env).filter((name) => /TOKEN|OPERATOR/.test(name))).toEqual([]);
  });

  test("may say 256 KiB on stderr before it answers", async () => {
    const { peer, stderr } = await proxy(["noisy"]);
    expect(await peer.ask("ping")).toMatchObject({ result: {} });
    await until("all of it is passed on", () => stderr().length > 256 * 1024);
  });

  test("ends when the host's input does, and its exit code is the proxy's", async () => {
    const { peer, ended } = await proxy(["plain", "9"]);
    await peer.ask("ping");
    peer.end();
    expect(await ended).toEqual({ code: 9, signal: null });
  });

  test("that exits by itself: what is open is answered, and the proxy exits like it", async () => {
    const { peer, ended } = await proxy(["plain", "4"]);
    const answer = await peer.ask("tools/call", call("exit"));
    expect(answer.error).toMatchObject({ message: "the server ended before it answered" });
    expect(await ended).toEqual({ code: 4, signal: null });
  });

  test("that a signal ends ends the proxy by the same signal", async () => {
    const { peer, ended } = await proxy(["plain"]);
    peer.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call("kill") });
    expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("hears the signals that the proxy gets", async () => {
    const { peer, child, ended } = await proxy(["signal"]);
    await peer.ask("ping");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 7, signal: null });
  });

  test("that ends for nothing else is killed, and is no zombie", async () => {
    const { peer, ended, child } = await proxy(["stubborn"]);
    const { result } = await peer.ask("tools/call", call("environment"));
    expect(result.isError).toBeUndefined();
    peer.end();
    expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(child.exitCode).toBe(null);
  });

  test("that cannot be started is one line and exit code 2", async () => {
    const { ended, stderr } = startMcp([
      program("interlock"),
      "mcp",
      "--socket",
      "/nowhere.sock",
      "--",
      "no-such-program",
    ]);
    expect(await ended).toEqual({ code: 2, signal: null });
    expect(stderr()).toBe("interlock: mcp: the server cannot be started: Error ENOENT\n");
  });

  test("what the host asked for before it went is still asked and answered", async () => {
    const { peer, ended } = await proxy(["plain"]);
    peer.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call("echo", { a: 1 }) });
    peer.end();
    expect((await peer.answer(1)).result.content[0].text).toBe('{"a":1}');
    expect((await ended).code).toBe(0);
  });
});

describe("a hostile server", () => {
  test("a line of 100 MiB is refused by name, in bounded memory, and the session goes on", async () => {
    const { peer, child, stderr } = await proxy(["plain"]);
    await peer.ask("ping");
    const before = resident(child.pid);
    const { result } = await peer.ask("tools/call", call("long"), "call-1");
    expect(result).toMatchObject({ isError: true, _meta: { "interlock/blocked": { code: "not_a_message" } } });
    expect(result.content[0].text).toMatch(/longer than 16777216 bytes/);
    expect(resident(child.pid) - before).toBeLessThan(64 * MiB);
    expect(stderr()).toMatch(/what the server sent is not passed on: it is longer than 16777216 bytes/);
    expect((await peer.ask("tools/call", call("echo", { a: 1 }))).result.content[0].text).toBe('{"a":1}');
  });

  test("a cursor loop is refused by name, and nothing is called", async () => {
    const { peer } = await proxy(["loop"]);
    const { result } = await peer.ask("tools/call", call("echo", { a: 1 }));
    expect(result).toMatchObject({ isError: true, _meta: { "interlock/blocked": { code: "surface_unlisted" } } });
    expect(result.content[0].text).toMatch(/the server lists the same page twice/);
  });

  test("a flood of notifications waits for a host that does not read, in bounded memory", async () => {
    const { child } = await proxy(["flood"]);
    child.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = resident(child.pid);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(resident(child.pid) - before).toBeLessThan(32 * MiB);
  });

  test("a result of 10 MiB is judged and delivered, in bounded memory", async () => {
    const judged: number[] = [];
    const { peer, child } = await proxy(["plain"], (event) => {
      judged.push(JSON.stringify(event.args).length);
      return {};
    });
    await peer.ask("ping");
    const before = resident(child.pid);
    const { result } = await peer.ask("tools/call", call("big", { bytes: 10 * MiB }));
    expect(result.content[0].text.length).toBeGreaterThan(9.9 * MiB);
    expect(Math.max(...judged)).toBeLessThan(1.1 * MiB);
    expect(judged.length).toBeGreaterThan(10);
    expect(resident(child.pid) - before).toBeLessThan(192 * MiB);
  });
});
