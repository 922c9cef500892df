import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { start } from "../../../test/kit/processes.ts";
import { saidBy } from "../exec/testing/guarded-program.ts";
import { ending, prelude } from "./testing/program.ts";
import { netRules } from "./testing/rules.ts";

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  // The last test's program ends the daemon by itself.
  place = await makePlace(netRules, "unknown: allow\nself_protection: off\n");
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

let count = 0;
const plain = async (text: string): Promise<unknown> => {
  const path = join(place.home, `plain-${count++}.mjs`);
  await writeFile(path, text);
  const { stdout, stderr, code } = await start(path, [], { env: place.env, cwd: place.home }).ended;
  if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
};

const functions = `
const holders = { net, tls, http, https, http2, dns, dgram, "dns.promises": dns.promises, global: globalThis,
  socket: net.Socket.prototype, datagram: dgram.Socket.prototype, resolver: dns.Resolver.prototype };
for (const [holder, object] of Object.entries(holders)) for (const name of Object.getOwnPropertyNames(object)) {
  const { value, enumerable } = Object.getOwnPropertyDescriptor(object, name);
  if (typeof value !== "function") continue;
  const keys = Reflect.ownKeys(value).map(String).filter((key) => key !== "Symbol(interlock.guarded)" && key !== "prototype").sort();
  said[holder + "." + name] = [value.name, value.length, enumerable, keys];
}`;

const errors = `
const report = (name, error) => { said[name] = [error.name, error.code, error.syscall, error.address, error.hostname, error.message.replaceAll(String(port), "PORT"), error instanceof Error]; };
const fails = async (name, step) => { try { said[name] = await step(); } catch (error) { report(name, error); if (error.cause) report(name + " cause", error.cause); } };
const closed = net.createServer().listen(0, "127.0.0.1");
await once(closed, "listening");
const nobody = closed.address().port;
closed.close();
await once(closed, "close");
const free = (value) => JSON.parse(JSON.stringify(value).replaceAll(String(nobody), "NOBODY"));
await fails("refused connect", () => opened(net.connect(nobody, "127.0.0.1")));
await fails("refused tls", () => opened(tls.connect(nobody, "127.0.0.1")));
await fails("refused request", () => answered(http.request({ host: "127.0.0.1", port: nobody })));
await fails("refused fetch", () => fetch("http://127.0.0.1:" + nobody));
await fails("refused http2", () => new Promise((_, reject) => http2.connect("http://127.0.0.1:" + nobody).on("error", reject)));
await fails("no path", () => opened(net.connect("nowhere.sock")));
await fails("no destination", () => net.connect({}));
await fails("bad port", () => net.connect(70000));
await fails("bad host", () => net.connect({ host: 5, port: 80 }));
await fails("bad lookup", () => net.connect({ host: "x", port: 80, lookup: 1 }));
await fails("bad url", () => http.request("nowhere"));
await fails("bad protocol", () => http.request("https://127.0.0.1"));
await fails("bad agent", () => http.request({ agent: {} }));
await fails("bad method", () => http.request({ method: "NO WAY" }));
await fails("bad path", () => http.request({ path: "/ x" }));
await fails("bad fetch", () => fetch("http://"));
await fails("bad init", () => fetch(base, { method: "GET", body: "x" }));
await fails("bad header", () => fetch(base, { headers: { "b d": "x" } }));
await fails("bad http2", () => http2.connect("ftp://127.0.0.1"));
await fails("bad authority", () => http2.connect(5));
await fails("bad datagram", () => dgram.createSocket("udp4").send());
await fails("bad message", () => dgram.createSocket("udp4").send(5, port, "127.0.0.1"));
await fails("bad name", () => dns.lookup(5, () => {}));
await fails("bad promise name", () => dns.promises.lookup(5));
await fails("bad resolve", () => dns.resolve4(5, () => {}));
await fails("aborted", () => fetch(base, { signal: AbortSignal.abort() }));
await fails("aborted later", () => { const all = new AbortController(); const got = fetch(base, { signal: all.signal }); all.abort(); return got; });
await fails("destroyed", () => new Promise((resolve, reject) => { const request = http.get(base); request.on("error", reject).on("close", resolve); request.destroy(); }));
await fails("timeline", () => new Promise((resolve) => {
  const seen = [];
  const request = http.request(base + "/x", { method: "POST" }, () => seen.push("response"));
  for (const event of ["socket", "finish", "close"]) request.on(event, () => { seen.push(event); if (event === "close") resolve(seen); });
  request.on("response", (response) => response.resume());
  request.end("body");
  seen.push("returned", request instanceof http.ClientRequest, request.method, request.path, request.getHeader("host") === "127.0.0.1:" + port);
}));
await fails("promisified", async () => (await (await import("node:util")).promisify(dns.lookup)("127.0.0.1")));
await fails("socket", () => new Promise((resolve) => {
  const seen = [];
  const socket = net.connect({ port, host: "127.0.0.1" });
  seen.push(socket.connecting, socket.pending, socket.readyState);
  for (const event of ["lookup", "connect", "ready", "close"]) socket.on(event, () => { seen.push(event); if (event === "ready") socket.destroy(); if (event === "close") resolve(seen); });
}));
for (const key of Object.keys(said)) said[key] = free(said[key] ?? null);`;

describe("with rules that allow, a guarded program sees what an unguarded one sees", () => {
  it.each([
    ["the functions' names, lengths and own properties", functions],
    ["errors, events and misuse", errors],
  ])("%s", async (_what, body) => {
    const text = prelude + body + ending;
    expect(await saidBy(place, text)).toEqual(await plain(text));
  });
});

describe("with a dead daemon", () => {
  it("every way out is refused, and the program ends by itself", async () => {
    const said = await saidBy(
      place,
      `${prelude}
process.kill(Number(process.env.DAEMON), "SIGKILL");
await new Promise((resolve) => setTimeout(resolve, 300));
await say("fetch", () => text(base));
await say("request", () => answered(http.request(base)));
await say("connect", () => opened(net.connect(port, "127.0.0.1")));
await say("tls", () => opened(tls.connect(port, "127.0.0.1")));
await say("http2", () => new Promise((resolve, reject) => http2.connect(base).on("error", reject).on("connect", resolve)));
await say("datagram", () => new Promise((resolve, reject) => { const socket = dgram.createSocket("udp4"); socket.send("x", port, "127.0.0.1", (error) => { socket.close(); error ? reject(error) : resolve("sent"); }); }));
await say("lookup", () => dns.promises.lookup("localhost"));
console.log(JSON.stringify(said));
server.close(); forbidden.close(); other.close();`,
      { env: { INTERLOCK_TIMEOUT: "0.3", DAEMON: String(daemon.child.pid) } },
    );
    expect(said).toEqual({
      fetch: "BlockedError",
      request: "BlockedError",
      connect: "BlockedError",
      tls: "BlockedError",
      http2: "BlockedError",
      datagram: "BlockedError",
      lookup: "BlockedError",
    });
  });
});
