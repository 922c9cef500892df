import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../../test/kit/place.ts";
import { nodes, saidOn } from "../files/testing/guarded-nodes.ts";

/** Blocks sockets in a folder `secret`, the host `blockme`, and every port from 20000 to 20099: no program is given one of those by chance. */
const listenRules = `import { block, defineRules } from "interlock/rules";
const isSecret = (path) => typeof path === "string" && path.split("/").includes("secret");
const isClosed = ({ port, host }) => host === "localhost" || (port >= 20000 && port < 20100);
export default defineRules({ id: "listen", version: 1, rules: [{
  id: "listen",
  actions: ["net.listen", "dgram.bind"],
  phase: "call",
  evaluate: ({ args }) => ([args.path, args.resolved_path].some(isSecret) || isClosed(args) ? block("is closed") : undefined),
  examples: [
    { event: { action: "net.listen", args: { port: 20001 } }, expect: "block" },
    { event: { action: "net.listen", args: { port: 0 } }, expect: "silent" },
  ],
}] });
`;

let place: Place;

beforeAll(async () => {
  place = await makePlace(listenRules);
  await startDaemon(place);
  mkdirSync(join(place.home, "secret"));
  mkdirSync(join(place.home, "open"));
  symlinkSync(join(place.home, "secret"), join(place.home, "innocent"));
});

describe.each(nodes)("listening on Node %s", (version, node) => {
  it("is asked for by port and by path, whatever way the server is made", async () => {
    const said = await saidOn(
      node,
      place,
      `const net = require("node:net");
const http = require("node:http");
const dgram = require("node:dgram");
const ended = (server) => new Promise((resolve) => server.once("error", (error) => resolve(error.code ?? error.name)).once("listening", () => { server.close(); resolve("listens"); }));
const bound = (make) => { const socket = dgram.createSocket("udp4"); const end = ended(socket); make(socket); return end; };
await tried("any port", () => ended(net.createServer().listen()));
await tried("with a callback", () => new Promise((resolve) => { const server = net.createServer().listen(() => { server.close(); resolve("listens"); }); }));
await tried("port 0 with a backlog", () => ended(net.createServer().listen(0, "127.0.0.1", 5)));
await tried("port", () => ended(net.createServer().listen(20001)));
await tried("port as text", () => ended(net.createServer().listen("20001", "127.0.0.1")));
await tried("options", () => ended(http.createServer().listen({ port: 20001, host: "127.0.0.1" })));
await tried("host", () => ended(http.createServer().listen(0, "localhost")));
await tried("inherited", () => ended(net.createServer().listen(Object.create({ port: 20001 }))));
await tried("changed by a subscriber", async () => {
  const change = ({ options }) => { try { options.port = 20001; options.path = "secret/s.sock"; } catch {} };
  const channel = require("node:diagnostics_channel").channel("tracing:net.server.listen:asyncStart");
  channel.subscribe(change);
  try { return await ended(net.createServer().listen(0, "127.0.0.1")); } finally { channel.unsubscribe(change); }
});
await tried("path", () => ended(net.createServer().listen("secret/s.sock")));
await tried("path by a link", () => ended(net.createServer().listen({ path: "innocent/s.sock" })));
await tried("path of an option", () => ended(http.createServer().listen({ path: process.cwd() + "/open/../secret/s.sock" })));
await tried("open path", () => ended(net.createServer().listen("open/" + process.version + ".sock")));
await tried("handle", () => { const handle = net._createServerHandle("127.0.0.1", 20002, 4); return ended(net.createServer().listen(handle)); });
await tried("handle of a path", () => typeof net._createServerHandle("secret/h.sock", -1, -1));
await tried("beneath", () => { const server = net.createServer(); const end = ended(server); server._listen2("127.0.0.1", 20003, 4, 5); return end; });
await tried("a nobody", () => net.createServer().listen({}).constructor.name);
await tried("datagrams", () => bound((socket) => socket.bind(20004)));
await tried("datagrams on any port", () => bound((socket) => socket.bind()));
await tried("datagrams by an option", () => bound((socket) => socket.bind({ port: 20005, address: "127.0.0.1" })));
await tried("datagrams at once", () => { const socket = dgram.createSocket("udp4"); if (socket.bindSync === undefined) return "none"; socket.bindSync({ port: 20006 }); });
await tried("bound", () => { if (net.BoundSocket === undefined) return "none"; return ended(net.createServer().listen(new net.BoundSocket({ port: 20007, host: "127.0.0.1" }))); });`,
    );
    const is24 = version === "24";
    expect(said).toEqual({
      "any port": "listens",
      "with a callback": "listens",
      "port 0 with a backlog": "listens",
      port: "BlockedError",
      "port as text": "BlockedError",
      options: "BlockedError",
      host: "BlockedError",
      inherited: "BlockedError",
      "changed by a subscriber": "listens",
      path: "BlockedError",
      "path by a link": "BlockedError",
      "path of an option": "BlockedError",
      "open path": "listens",
      handle: "EACCES",
      "handle of a path": "number",
      beneath: "EACCES",
      "a nobody": "TypeError",
      datagrams: "EACCES",
      "datagrams on any port": "listens",
      "datagrams by an option": "EACCES",
      "datagrams at once": is24 ? "Error" : "none",
      bound: is24 ? "EACCES" : "none",
    });
    expect(readdirSync(join(place.home, "secret"))).toEqual([]);
  });
});
