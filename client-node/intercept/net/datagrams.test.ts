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

describe("datagrams", () => {
  it("are allowed, blocked and rewritten in every form", async () => {
    expect(
      await says(`
const receiver = dgram.createSocket("udp4");
receiver.bind(0, "127.0.0.1");
await once(receiver, "listening");
const at = receiver.address().port;
const lookup = (host, options, done) => (typeof options === "function" ? options : done)(null, host === "rebound" ? "127.0.0.9" : net.isIP(host) ? host : "127.0.0.1", 4);
const sent = (...args) => new Promise((resolve, reject) => {
  const socket = dgram.createSocket({ type: "udp4", lookup });
  socket.on("error", (error) => { socket.close(); reject(error); });
  socket.send(...args, (error, bytes) => { socket.close(); if (error) reject(error); else resolve(bytes); });
});
for (const host of ["plain", "redirectme", "blockme", "rebound", "127.0.0.9"]) {
  await say("short " + host, () => sent("four", at, host));
  await say("long " + host, () => sent(Buffer.from("--four--"), 2, 4, at, host));
  await say("list " + host, () => sent(["fo", "ur"], at, host));
  await say("connect " + host, () => new Promise((resolve, reject) => {
    const socket = dgram.createSocket({ type: "udp4", lookup });
    socket.connect(at, host, (error) => {
      if (error) { socket.close(); reject(error); } else socket.send("four", (failed, bytes) => { socket.close(); failed ? reject(failed) : resolve(bytes); });
    });
  }));
}
await say("no address", () => sent("four", at));
await say("no callback", () => new Promise((resolve, reject) => {
  const socket = dgram.createSocket("udp4");
  socket.on("error", (error) => { socket.close(); reject(error); }).send("four", at, "blockme");
}));
await say("received", async () => { const got = once(receiver, "message"); const socket = dgram.createSocket("udp4"); socket.send("text", at, "127.0.0.1"); const [data] = await got; socket.close(); return String(data); });
await say("no port", async () => dgram.createSocket("udp4").send("four", -1, "127.0.0.1"));`),
    ).toEqual({
      ...Object.fromEntries(
        ["plain", "redirectme", "blockme", "rebound", "127.0.0.9"].flatMap((host) =>
          ["short", "long", "list", "connect"].map((form) => [
            `${form} ${host}`,
            host === "plain" || host === "redirectme" ? 4 : "BlockedError",
          ]),
        ),
      ),
      "no address": 4,
      "no callback": "BlockedError",
      received: expect.stringMatching(/^(four|text)$/),
      "no port": "ERR_SOCKET_BAD_PORT",
      reached: 0,
    });
  });
});

describe("names", () => {
  it("are asked for before a query leaves, in callbacks, promises and resolvers", async () => {
    expect(
      await says(`
const called = (resolver, method, ...args) => new Promise((resolve, reject) => resolver[method](...args, (error, answer) => error ? reject(error) : resolve(answer)));
await say("lookup", () => called(dns, "lookup", "blockme"));
await say("lookup options", () => called(dns, "lookup", "blockme", { all: true }));
await say("address", () => called(dns, "lookup", "127.0.0.1"));
await say("localhost", () => called(dns, "lookup", "localhost", 4));
await say("promises.lookup", () => dns.promises.lookup("blockme"));
for (const method of ["resolve", "resolve4", "resolveTxt", "reverse"]) {
  await say(method, () => called(dns, method, "blockme"));
  await say("promises " + method, () => dns.promises[method]("blockme"));
  await say("Resolver " + method, () => called(new dns.Resolver(), method, "blockme"));
  await say("promises Resolver " + method, () => new dns.promises.Resolver()[method]("blockme"));
}
await say("setServers", async () => dns.setServers(["127.0.0.1"]));
await say("setServers blocked", async () => dns.setServers(["blockme"]));
await say("setServers of a resolver blocked", async () => new dns.promises.Resolver().setServers(["blockme"]));
await say("setServers beneath", async () => new dns.Resolver()._handle.setServers([[4, "blockme", 53]]));
await say("setServers of a false resolver", async () => {
  const { _handle } = new dns.Resolver();
  const value = { getServers: () => [], setServers: () => _handle.setServers([[4, "blockme", 53]]) };
  return Object.create(dns.Resolver.prototype, { _handle: { value } }).setServers(["127.0.0.1"]);
});
await say("getServers", async () => {
  const resolver = new dns.Resolver();
  resolver.setServers(["127.0.0.1", "127.0.0.2:54", "::1", "[::1]:55"]);
  return resolver.getServers().join(" ");
});
await say("after setServers", () => called(dns, "resolve4", "blockme"));
await say("no callback", async () => dns.lookup("x"));`),
    ).toEqual({
      lookup: "BlockedError",
      "lookup options": "BlockedError",
      address: "127.0.0.1",
      localhost: "127.0.0.1",
      "promises.lookup": "BlockedError",
      ...Object.fromEntries(
        ["resolve", "resolve4", "resolveTxt", "reverse"].flatMap((method) =>
          ["", "promises ", "Resolver ", "promises Resolver "].map((form) => [`${form}${method}`, "BlockedError"]),
        ),
      ),
      "setServers blocked": "BlockedError",
      "setServers of a resolver blocked": "BlockedError",
      "setServers beneath": "BlockedError",
      "setServers of a false resolver": "BlockedError",
      getServers: "127.0.0.1 127.0.0.2:54 ::1 [::1]:55",
      "after setServers": "BlockedError",
      "no callback": "ERR_INVALID_ARG_TYPE",
      reached: 0,
    });
  });
});
