import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { start } from "../../../test/kit/processes.ts";
import { ending, prelude } from "./testing/program.ts";
import { netRules } from "./testing/rules.ts";

const client = process.env.INTERLOCK_TEST_CLIENT ?? fileURLToPath(new URL("../../dist", import.meta.url));
const moduleAt = (path: string): string => JSON.stringify(pathToFileURL(join(client, "client-node", path)).href);

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(netRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

let count = 0;
/** A program that guards itself in its middle: `install(options)` is there, `before` runs first. */
const says = async (before: string, after: string): Promise<Record<string, unknown>> => {
  const path = join(place.home, `installs-${count++}.mjs`);
  await writeFile(
    path,
    `import { installInterceptors } from ${moduleAt("intercept/install.js")};
import { RemoteEngine } from ${moduleAt("index.js")};
${prelude}${before}
const engine = new RemoteEngine(${JSON.stringify(place.socket)});
const install = (options = {}) => installInterceptors({ engine, fs: false, exec: false, ...options });
${after}${ending}`,
  );
  const { stdout, stderr, code } = await start(path, [], { env: place.env, cwd: place.home }).ended;
  if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
};

describe("guarding a program that runs already", () => {
  it("what it took before opens no connection that is not judged", async () => {
    expect(
      await says(
        `
const kept = { connect: net.connect, tls: tls.connect, request: http.request, get: https.get, http2: http2.connect, fetch, Agent: http.Agent };
const promised = (await import("node:util")).promisify(dns.lookup);
const socket = new net.Socket();
const to9 = { host: "127.0.0.9", port };`,
        `
install();
await say("connect", () => opened(kept.connect(to9)));
await say("tls", () => opened(kept.tls(to9)));
await say("request", () => answered(kept.request(to9)));
await say("get", () => answered(kept.get(to9)));
await say("http2", () => new Promise((resolve, reject) => kept.http2("http://127.0.0.9:" + port).on("error", reject).on("connect", resolve)));
await say("fetch", () => kept.fetch("http://127.0.0.9:" + port));
await say("agent", () => answered(http.request({ ...to9, agent: new kept.Agent() })));
await say("socket", () => opened(socket.connect(to9)));`,
      ),
    ).toEqual({
      connect: "BlockedError",
      tls: "BlockedError",
      request: "BlockedError",
      get: "BlockedError",
      http2: "BlockedError",
      fetch: "TypeError(BlockedError)",
      agent: "BlockedError",
      socket: "BlockedError",
      reached: 0,
    });
  });

  it("is undone: every member is what it was, and nothing is asked", async () => {
    expect(
      await says(
        `
const holders = [net, tls, http, https, http2, dns, dns.promises, dgram, net.Socket.prototype, dgram.Socket.prototype,
  dns.Resolver.prototype, dns.promises.Resolver.prototype];
const all = () => [fetch, ...holders.flatMap((holder) => Object.getOwnPropertyNames(holder).map((name) => Object.getOwnPropertyDescriptor(holder, name).value))];
const before = all();
const { connect: linked } = await import("node:net");`,
        `
const { uninstall } = install();
said.changed = all().filter((value, at) => value !== before[at]).length > 30;
const guarded = { request: http.request, fetch, lookup: dns.lookup };
uninstall();
said.same = all().every((value, at) => value === before[at]);
await say("connect", () => opened(linked(port, "127.0.0.1")));
await say("kept request", () => answered(guarded.request(base + "/blockme")));
await say("kept fetch", async () => (await guarded.fetch(base + "/blockme")).text());`,
      ),
    ).toEqual({
      changed: true,
      same: true,
      connect: "connected",
      "kept request": "GET /blockme",
      "kept fetch": "GET /blockme",
      reached: 0,
    });
  });

  it("`http` and `net` are chosen apart, and the lists say so", async () => {
    expect(
      await says(
        "",
        `
const http_ = install({ net: false });
said.http = [http_.covered.includes("http.request"), http_.covered.includes("net.connect"), http_.uncovered.includes("net.connect")];
await say("request", () => answered(http.request(base + "/blockme")));
await say("connect", () => opened(net.connect(port, "127.0.0.1")));
http_.uninstall();
const net_ = install({ http: false });
said.net = [net_.covered.includes("http.request"), net_.covered.includes("net.connect"), net_.uncovered.includes("http.request")];
await say("request only net", () => answered(http.request(base + "/blockme")));
await say("connect only net", () => opened(net.connect(port, "127.0.0.9")));`,
      ),
    ).toEqual({
      http: [true, false, true],
      request: "BlockedError",
      connect: "connected",
      net: [false, true, true],
      "request only net": "GET /blockme",
      "connect only net": "BlockedError",
      reached: 0,
    });
  });
});
