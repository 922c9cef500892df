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

describe("fetch", () => {
  it("is allowed, blocked and rewritten in every form of its input", async () => {
    expect(
      await says(`
for (const word of ["plain", "redirectme", "blockme"]) {
  const url = base + "/" + word;
  await say("text " + word, () => text(url));
  await say("URL " + word, () => text(new URL(url), { method: "PUT", body: "b" }));
  await say("Request " + word, () => text(new Request(url, { method: "POST", body: "b", headers: { x: "y" } })));
  await say("init wins " + word, () => text(new Request(base, { method: "POST", body: "b" }), { body: word }));
  await say("header " + word, () => text(base + "/", { headers: { x: word } }));
  await say("Headers " + word, () => text(base + "/", { headers: new Headers([["x", word]]) }));
  await say("bytes " + word, () => text(base + "/", { method: "POST", body: Buffer.from("b"), headers: { x: word } }));
}`),
    ).toEqual({
      "text plain": "GET /plain",
      "URL plain": "PUT /plain b",
      "Request plain": "POST /plain b y",
      "init wins plain": "POST / plain",
      "header plain": "GET / plain",
      "Headers plain": "GET / plain",
      "bytes plain": "POST / b plain",
      "text redirectme": "GET /target",
      "URL redirectme": "PUT /target b",
      "Request redirectme": "POST /target b y",
      "init wins redirectme": "POST / target",
      "header redirectme": "GET / target",
      "Headers redirectme": "GET / target",
      "bytes redirectme": "POST / b target",
      ...Object.fromEntries(
        ["text", "URL", "Request", "init wins", "header", "Headers", "bytes"].map((form) => [
          `${form} blockme`,
          "BlockedError",
        ]),
      ),
      reached: 0,
    });
  });

  it("keeps the signal, a stream and the caller's own request through a rewrite", async () => {
    expect(
      await says(`
await say("stream", () => text(base + "/redirectme", { method: "POST", body: new Blob(["parts"]).stream(), duplex: "half" }));
await say("aborted", () => text(base + "/redirectme", { signal: AbortSignal.abort() }));
await say("request", async () => {
  const request = new Request(base + "/redirectme", { method: "POST", body: "kept" });
  return [await text(request), request.bodyUsed, await request.text()].join(", ");
});
await say("no arguments", () => fetch());
await say("no url", () => fetch("nowhere"));`),
    ).toEqual({
      stream: "POST /target parts",
      aborted: 20, // the code of an AbortError
      request: "POST /target kept, false, kept",
      "no arguments": "TypeError",
      "no url": "TypeError",
      reached: 0,
    });
  });

  it("asks for each redirect, and leaves what a redirect means to Node", async () => {
    const said = await says(`
const secret = { headers: { authorization: "secret" } };
for (const status of [301, 302, 303, 307, 308]) {
  await say("post " + status, () => text(hop(status, "/there"), { method: "POST", body: "b" }));
}
await say("blocked", () => text(hop(302, "/blockme")));
await say("blocked at the second", () => text(hop(302, hop(302, "/blockme"))));
await say("rewritten", () => text(hop(302, "/redirectme")));
await say("address", () => text(hop(302, "http://127.0.0.9:" + port + "/")));
await say("same origin", () => text(hop(302, "/there"), secret));
await say("cross origin", () => text(hop(302, "http://127.0.0.1:" + other.address().port + "/there"), secret));
await say("manual", async () => (await fetch(hop(302, "/blockme"), { redirect: "manual" })).status);
await say("error", () => text(hop(302, "/there"), { redirect: "error" }));
await say("where", async () => { const { url, redirected } = await fetch(hop(302, "/there")); return [url === base + "/there", redirected]; });
await say("endless", async () => {
  const loop = http.createServer((request, response) => response.writeHead(302, { location: request.url + "x" }).end()).listen(0, "127.0.0.1");
  await once(loop, "listening");
  return text("http://127.0.0.1:" + loop.address().port + "/");
});`);
    expect(said).toEqual({
      "post 301": "GET /there",
      "post 302": "GET /there",
      "post 303": "GET /there",
      "post 307": "POST /there b",
      "post 308": "POST /there b",
      blocked: "BlockedError",
      "blocked at the second": "BlockedError",
      rewritten: "GET /target",
      address: "TypeError(BlockedError)",
      "same origin": "GET /there secret",
      "cross origin": "GET /there",
      manual: 302,
      error: "TypeError",
      where: [true, true],
      endless: "TypeError",
      reached: 0,
    });
  });

  it("shows rules the url that is fetched, whatever an input says of itself", async () => {
    expect(
      await says(`
class Sly extends Request { get url() { return base + "/plain"; } get method() { return "GET"; } }
await say("request", () => text(new Sly(base + "/blockme")));
let times = 0;
await say("text", () => text({ toString: () => base + (times++ === 0 ? "/plain" : "/blockme") }));
let reads = 0;
await say("init", () => text(base + "/", { get headers() { return { x: reads++ === 0 ? "plain" : "blockme" }; } }));
await say("host", () => text("HTTP://BLOCKME.example/"));
const changing = Buffer.from("plain!!");
await say("bytes", () => { const all = text(base + "/", { method: "POST", body: changing }); changing.write("blockme"); return all; });`),
    ).toEqual({
      request: "BlockedError",
      text: "GET /plain",
      init: "GET / plain",
      host: "BlockedError",
      bytes: "POST / plain!!",
      reached: 0,
    });
  });
});

describe("http and https", () => {
  it("requests are allowed, blocked and rewritten before they are returned", async () => {
    expect(
      await says(`
for (const word of ["plain", "redirectme", "blockme"]) {
  const path = "/" + word;
  await say("request " + word, () => answered(http.request(base + path)));
  await say("options " + word, () => answered(http.request({ host: "127.0.0.1", port, path, method: "PUT" })));
  await say("URL and options " + word, () => answered(http.request(new URL(base), { path })));
  await say("get " + word, () => answered(http.get(base + path)));
  await say("ClientRequest " + word, () => answered(new http.ClientRequest(base + path)));
  await say("headers " + word, () => answered(http.request(base, { headers: { x: word } })));
  await say("header list " + word, () => answered(http.request(base, { headers: ["host", "h", "x", word] })));
}
await say("callback", () => new Promise((resolve) => http.get(base + "/cb", (response) => resolve(response.statusCode))));
await say("https", () => answered(https.get("https://127.0.0.1:" + port + "/blockme")));
await say("socketPath", () => answered(http.request({ socketPath: "blockme.sock", path: "/" })));
await say("events", async () => {
  const request = http.get(base + "/blockme");
  const seen = [];
  request.on("error", ({ name }) => seen.push(name)).on("close", () => seen.push("close"));
  await new Promise((resolve) => request.once("close", resolve));
  return [...seen, request instanceof http.ClientRequest, request.destroyed];
});`),
    ).toEqual({
      ...Object.fromEntries(
        ["plain", "redirectme", "blockme"].flatMap((word) => {
          const path = word === "plain" ? "/plain" : "/target";
          const x = path.slice(1);
          const all = {
            request: `GET ${path}`,
            options: `PUT ${path}`,
            "URL and options": `GET ${path}`,
            get: `GET ${path}`,
            ClientRequest: `GET ${path}`,
            headers: `GET / ${x}`,
            "header list": `GET / ${x}`,
          };
          return Object.entries(all).map(([form, answer]) => [
            `${form} ${word}`,
            word === "blockme" ? "BlockedError" : answer,
          ]);
        }),
      ),
      callback: 200,
      https: "BlockedError",
      socketPath: "BlockedError",
      events: ["BlockedError", "close", true, true],
      reached: 0,
    });
  });

  it("an agent of the program's own, or a dispatcher, opens no other connection", async () => {
    expect(
      await says(`
const agent = new http.Agent({ host: "127.0.0.9", lookup: to("127.0.0.9") });
await say("agent's host", () => answered(http.request({ host: "127.0.0.1", port, agent })));
class Sly extends http.Agent { createConnection(options, done) { return net.connect(port, "127.0.0.9", done); } }
await say("createConnection", () => answered(http.request(base, { agent: new Sly() })));
await say("agent's own socket", () => opened(new http.Agent().createConnection({ host: "127.0.0.9", port })));
await say("dispatcher", async () => {
  await text(base);
  const dispatcher = globalThis[Symbol.for("undici.globalDispatcher.1")];
  return (await dispatcher.request({ origin: "http://127.0.0.9:" + port, path: "/", method: "GET" })).statusCode;
});
await say("keep alive", async () => {
  const kept = new http.Agent({ keepAlive: true });
  await answered(http.request(base + "/plain", { agent: kept }));
  return answered(http.request(base + "/blockme", { agent: kept }));
});`),
    ).toEqual({
      "agent's host": "BlockedError",
      createConnection: "BlockedError",
      "agent's own socket": "BlockedError",
      dispatcher: "BlockedError",
      "keep alive": "BlockedError",
      reached: 0,
    });
  });
});
