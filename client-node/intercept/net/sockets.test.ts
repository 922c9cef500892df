import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { saidBy } from "../exec/testing/guarded-program.ts";
import { ending, prelude } from "./testing/program.ts";
import { netRules } from "./testing/rules.ts";

let place: Place;
let daemon: Daemon;

beforeAll(async () => {
  place = await makePlace(netRules);
  daemon = await startDaemon(place);
});
afterAll(() => daemon?.kill());

const says = (program: string): Promise<Record<string, unknown>> => saidBy(place, prelude + program + ending);

describe("connections", () => {
  it("are allowed, blocked and rewritten in every form", async () => {
    expect(
      await says(`
const lookup = to("127.0.0.1");
for (const host of ["plain", "redirectme", "blockme"]) {
  await say("connect " + host, () => opened(net.connect({ host, port, lookup })));
  await say("createConnection " + host, () => opened(net.createConnection({ host, port, lookup, autoSelectFamily: false })));
  await say("Socket " + host, () => opened(new net.Socket().connect({ host, port, lookup })));
  await say("tls " + host, () => opened(tls.connect({ host, port, lookup })));
  await say("http2 " + host, () => new Promise((resolve, reject) => {
    const session = http2.connect("http://" + host + ":" + port, { lookup });
    session.on("connect", () => { session.destroy(); resolve("connected"); }).on("error", reject);
  }));
  await say("path " + host, () => opened(net.connect(host + ".sock")));
}
await say("number and text", () => opened(net.connect(port, "127.0.0.1")));
await say("text as number", () => opened(net.connect(String(port), "127.0.0.1")));
await say("localhost", () => opened(net.connect({ port, family: 4 })));
await say("callback", () => new Promise((resolve) => net.connect(port, "127.0.0.1", () => resolve("called"))));
await say("inherited", () => opened(net.connect(Object.create({ host: "blockme", port }))));
await say("events", () => new Promise((resolve) => {
  const seen = [];
  const socket = tls.connect({ host: "blockme", port, servername: "name" });
  seen.push(socket.connecting);
  socket.on("error", ({ name }) => seen.push(name)).on("close", (failed) => resolve([...seen, failed, socket.destroyed]));
}));`),
    ).toEqual({
      ...Object.fromEntries(
        ["plain", "redirectme", "blockme"].flatMap((host) => [
          ...["connect", "createConnection", "Socket", "tls", "http2"].map((form) => [
            `${form} ${host}`,
            host === "blockme" ? "BlockedError" : "connected",
          ]),
          [`path ${host}`, host === "blockme" ? "BlockedError" : "ENOENT"],
        ]),
      ),
      "number and text": "connected",
      "text as number": "connected",
      localhost: "connected",
      callback: "called",
      inherited: "BlockedError",
      events: [true, "BlockedError", true, true],
      reached: 0,
    });
  });

  it("are judged on the address that is dialed, which is found once", async () => {
    expect(
      await says(`
const host = "good.example";
for (const autoSelectFamily of [true, false]) {
  const form = autoSelectFamily ? "all" : "one";
  const with_ = (lookup) => ({ host, port, lookup, autoSelectFamily });
  await say("private " + form, () => opened(net.connect(with_(to("127.0.0.9")))));
  await say("http " + form, () => answered(http.get({ ...with_(to("127.0.0.9")), path: "/" })));
  await say("tls " + form, () => opened(tls.connect(with_(to("127.0.0.9")))));
  let times = 0;
  const rebinding = (...args) => to(times++ === 0 ? "127.0.0.1" : "127.0.0.9")(...args);
  await say("first answer " + form, () => opened(net.connect(with_(rebinding))));
  said["lookups " + form] = times;
  await say("second answer " + form, () => opened(net.connect(with_(rebinding))));
  await say("failing " + form, () => opened(net.connect(with_((name, options, done) => done(Object.assign(new Error("x"), { code: "ENOTFOUND" }))))));
}
await say("one of two", () => opened(net.connect({ host, port, lookup: to("127.0.0.9", "127.0.0.1"), autoSelectFamily: true })));
await say("none of two", () => opened(net.connect({ host, port, lookup: to("127.0.0.9", "127.0.0.9"), autoSelectFamily: true })));
for (const encoded of ["127.0.0.9", "127.9", "0x7f000009", "2130706441", "0177.0.0.011", "::ffff:127.0.0.9", "::FFFF:7f00:9", "0:0:0:0:0:ffff:127.0.0.9"]) {
  await say("host " + encoded, () => opened(net.connect({ host: encoded, port })));
}
await say("url", () => text("http://0x7f.9:" + port + "/"));
dns.lookup = to("127.0.0.9");
await say("replaced dns.lookup", () => opened(net.connect({ host, port })));`),
    ).toMatchObject({
      ...Object.fromEntries(
        ["all", "one"].flatMap((form) => [
          [`private ${form}`, "BlockedError"],
          [`http ${form}`, "BlockedError"],
          [`tls ${form}`, "BlockedError"],
          [`first answer ${form}`, "connected"],
          [`lookups ${form}`, 1],
          [`second answer ${form}`, "BlockedError"],
          [`failing ${form}`, "ENOTFOUND"],
        ]),
      ),
      "one of two": "connected",
      "none of two": "BlockedError",
      "host 127.0.0.9": "BlockedError",
      "host 127.9": "BlockedError",
      "host 0x7f000009": "BlockedError",
      "host 2130706441": "BlockedError",
      "host 0177.0.0.011": "BlockedError",
      "host ::ffff:127.0.0.9": "BlockedError",
      "host ::FFFF:7f00:9": "BlockedError",
      "host 0:0:0:0:0:ffff:127.0.0.9": "BlockedError",
      url: "TypeError(BlockedError)",
      "replaced dns.lookup": "BlockedError",
      reached: 0,
    });
  });

  it("an address that nobody judged is refused where it goes to the kernel", async () => {
    expect(
      await says(`
const socket = net.connect(port, "127.0.0.1");
await once(socket, "connect");
const TCP = socket._handle.constructor;
socket.destroy();
said.handle = new TCP(0).connect({}, "127.0.0.9", port);
let times = 0;
said.text = new TCP(0).connect({}, { toString: () => times++ === 0 ? "127.0.0.9" : "127.0.0.1" }, port);
const late = new net.Socket();
late.connect({ host: "127.0.0.1", port });
const { connect } = Object.getPrototypeOf(late._handle);
said.borrowed = Reflect.apply(connect, late._handle, [{}, "127.0.0.9", port]);
late.destroy();
const pipe = new net.Socket().on("error", () => {});
pipe.connect("plain.sock");
said.pipe = new pipe._handle.constructor(0).connect({}, "blockme.sock");`),
    ).toEqual({ pipe: -13, handle: -13, text: -13, borrowed: -13, reached: 0 });
  });

  it("of a program's hook, run inside a step of the guard's own, are judged", async () => {
    expect(
      await says(`
import { createHook } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
const refusals = [];
let depth = 0;
let times = 0;
const sly = () => {
  if (depth > 0 || times++ >= 20) return;
  depth++;
  try {
    net.connect(port, "127.0.0.9").on("error", ({ name }) => refusals.push(name));
    net.connect("blockme.sock").on("error", ({ name }) => refusals.push(name));
  } finally { depth--; }
};
subscribe("net.client.socket", sly);
const hook = createHook({ init: sly }).enable();
await dns.promises.lookup("localhost");
await say("http2", () => new Promise((resolve, reject) => http2.connect("http://blockme").on("error", reject)));
await say("fetch", () => text(base));
hook.disable();
await new Promise((resolve) => setTimeout(resolve, 300));
said.refused = refusals.length > 0 && refusals.every((name) => name === "BlockedError");`),
    ).toMatchObject({ refused: true, reached: 0 });
  });

  it("are guarded by whatever way the function is reached", async () => {
    expect(
      await says(`
import { createRequire } from "node:module";
import { connect, createConnection, Socket } from "node:net";
import { request, get } from "node:http";
const require = createRequire(import.meta.url);
const dynamic = await import("node:net");
await say("named", () => opened(connect(port, "127.0.0.9")));
await say("named createConnection", () => opened(createConnection(port, "127.0.0.9")));
await say("require", () => opened(require("net").connect(port, "127.0.0.9")));
await say("dynamic", () => opened(dynamic.connect(port, "127.0.0.9")));
await say("prototype", () => opened(Socket.prototype.connect.call(new Socket(), port, "127.0.0.9")));
class Sly extends Socket { connect(...args) { return Socket.prototype.connect.apply(this, args); } }
await say("subclass", () => opened(new Sly().connect(port, "127.0.0.9")));
await say("named request", () => answered(request(base + "/blockme")));
await say("named get", () => answered(get(base + "/blockme")));
await say("required request", () => answered(require("node:http").request(base + "/blockme")));
await say("Function", () => new Function("url", "return fetch(url)")(base + "/blockme"));
const { fetch: kept } = globalThis;
await say("kept fetch", () => kept(base + "/blockme"));`),
    ).toEqual({
      named: "BlockedError",
      "named createConnection": "BlockedError",
      require: "BlockedError",
      dynamic: "BlockedError",
      prototype: "BlockedError",
      subclass: "BlockedError",
      "named request": "BlockedError",
      "named get": "BlockedError",
      "required request": "BlockedError",
      Function: "BlockedError",
      "kept fetch": "BlockedError",
      reached: 0,
    });
  });
});
