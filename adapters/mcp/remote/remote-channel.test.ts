import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { Incoming } from "../relay/channel.ts";
import { type Message, made, type NotAMessage } from "../relay/message.ts";
import { eventsOf, type StreamEvent } from "./event-stream.ts";
import { RemoteChannel } from "./remote-channel.ts";
import { headerValue } from "./request-headers.ts";

const servers: Server[] = [];
const channels: RemoteChannel[] = [];
afterEach(async () => {
  for (const channel of channels.splice(0)) await channel.close();
  for (const server of servers.splice(0)) server.closeAllConnections();
});

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

const remote = async (handle: Handler, headers: Record<string, string> = {}) => {
  const asked: { readonly method: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method ?? "", headers: request.headers, body });
    handle(Object.assign(request, { body }), response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const channel = new RemoteChannel(new URL(`http://127.0.0.1:${port}/mcp`), headers);
  channels.push(channel);
  const received: Message[] = [];
  const refused: NotAMessage[] = [];
  let isOver = false;
  await channel.open({
    received: async (incoming: Incoming) => void (incoming.kind === "message" && received.push(incoming.message)),
    refused: async (problem) => void refused.push(problem),
    closed: () => {
      isOver = true;
    },
  });
  return { channel, asked, received, refused, isOver: () => isOver, port };
};

const request = (method: string, params: object = {}, id = 1): Message => made({ id, method, params: params as never });
const json = (response: ServerResponse, body: object, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const result = (id: number, value: object = {}): object => ({ jsonrpc: "2.0", id, result: value });
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

const stateless = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

describe("requests", () => {
  test("of a session carry its id and version from the opening on, and the session is ended at the end", async () => {
    const { channel, asked } = await remote(
      ({ body, method }, response) => {
        if (method !== "POST") return void response.writeHead(405).end();
        const { id, method: called } = JSON.parse(body);
        if (id === undefined) return void response.writeHead(202).end();
        if (called === "initialize") response.setHeader("mcp-session-id", "s1");
        json(response, result(id, { protocolVersion: "2025-11-25" }));
      },
      { authorization: "Bearer t" },
    );
    await channel.send(request("initialize"));
    await channel.send(made({ method: "notifications/initialized" }));
    await channel.send(request("tools/list", {}, 2));
    await channel.close();
    const [opening, , ...later] = asked;
    expect(opening?.headers).toMatchObject({
      authorization: "Bearer t",
      accept: "application/json, text/event-stream",
    });
    expect(opening?.headers).not.toHaveProperty("mcp-session-id");
    for (const { headers } of later) {
      expect(headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" });
    }
    expect(asked.map(({ method }) => method).sort()).toEqual(["DELETE", "GET", "POST", "POST", "POST"]);
  });

  test("of 2026-07-28 carry what they say in headers, and are cancelled by the end of their stream", async () => {
    let isGone = false;
    const { channel, asked } = await remote((given, response) => {
      response.on("close", () => {
        isGone = true;
      });
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      void given;
    });
    await channel.send(request("tools/call", { name: "caf\u00e9", ...stateless }));
    expect(asked[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?Y2Fmw6k=?=",
    });
    await channel.send(made({ method: "notifications/cancelled", params: { requestId: 1 } }));
    await settle();
    expect(isGone).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test("a value is a header as it is only where every server reads it so", () => {
    expect(["plain text", "", " x", "a\nb", "=?base64?eA==?="].map(headerValue)).toEqual([
      "plain text",
      "=?base64??=",
      "=?base64?IHg=?=",
      "=?base64?YQpi?=",
      "=?base64?PT9iYXNlNjQ/ZUE9PT89?=",
    ]);
  });
});

describe("answers", () => {
  test("an error of any status is the server's answer; anything else of a bad status is none", async () => {
    const error = { jsonrpc: "2.0", id: 1, error: { code: -32020, message: "no" } };
    const answered = await remote((_given, response) => json(response, error, 400));
    await answered.channel.send(request("tools/list"));
    expect(answered.received).toMatchObject([{ json: error }]);
    const others: Handler[] = [
      (_given, response) => json(response, { ...error, id: 2 }, 500),
      (_given, response) => void response.writeHead(401).end("who are you"),
      (_given, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    ];
    for (const handle of others) {
      const { channel, received } = await remote(handle);
      await expect(channel.send(request("tools/list"))).rejects.toThrow(/HTTP/);
      expect(received).toEqual([]);
    }
  });

  test("of more than 16 MiB are refused by name, as one body and as one event", async () => {
    for (const type of ["application/json", "text/event-stream"]) {
      const { channel, received, refused } = await remote((_given, response) => {
        response.writeHead(200, { "content-type": type });
        const lead = type === "application/json" ? "" : "data: ";
        response.write(`${lead}{"jsonrpc":"2.0","id":1,"result":{"text":"`);
        for (let i = 0; i < 20; i++) response.write("x".repeat(1024 * 1024));
        response.end('"}}\n\n');
      });
      await channel.send(request("tools/list"));
      for (let i = 0; i < 50 && refused.length === 0; i++) await settle();
      expect(refused).toMatchObject([{ id: 1, message: expect.stringMatching(/longer than/) }]);
      expect(received).toEqual([]);
    }
  });

  test("that break off are asked for from there, where the server numbered them, and are told where not", async () => {
    const numbered = await remote(({ method, headers }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "POST") response.end("id: 7\nretry: 1\ndata:\n\n");
      else response.end(`data: ${JSON.stringify(result(1, { from: headers["last-event-id"] ?? "" }))}\n\n`);
    });
    await numbered.channel.send(request("tools/list"));
    await settle();
    expect(numbered.received).toMatchObject([{ json: { result: { from: "7" } } }]);
    const broken = await remote((_given, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
    });
    await broken.channel.send(request("tools/list"));
    await settle();
    expect(broken.refused).toMatchObject([{ id: 1, message: "the stream ended before the answer" }]);
  });

  test("a session that the server knows no more is over", async () => {
    const { channel, isOver } = await remote(({ body }, response) => {
      const { id, method } = JSON.parse(body || "{}");
      if (method !== "initialize") return void response.writeHead(404).end();
      response.setHeader("mcp-session-id", "s1");
      json(response, result(id));
    });
    await channel.send(request("initialize"));
    await expect(channel.send(request("tools/list", {}, 2))).rejects.toThrow(/HTTP 404/);
    expect(isOver()).toBe(true);
  });
});

describe("the headers, which are secrets", () => {
  const secret = { authorization: "Bearer s3cret" };

  test("go along a redirect of the same origin, and to no other", async () => {
    const elsewhere = await remote((_given, response) => json(response, result(1)));
    const away = await remote((_given, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/mcp` }).end();
    }, secret);
    await expect(away.channel.send(request("tools/list"))).rejects.toThrow(/HTTP 307/);
    expect(elsewhere.asked).toEqual([]);
    const within = await remote(({ url }, response) => {
      if (url === "/mcp") response.writeHead(308, { location: "/moved" }).end();
      else json(response, result(1));
    }, secret);
    await within.channel.send(request("tools/list"));
    expect(within.received).toHaveLength(1);
  });

  test("are posted to no endpoint of another origin, as a server of 2024-11-05 may name one", async () => {
    const elsewhere = await remote((_given, response) => json(response, result(1)));
    const { channel } = await remote(({ method }, response) => {
      if (method === "POST") return void response.writeHead(405).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: http://127.0.0.1:${elsewhere.port}/mcp\n\n`);
    }, secret);
    await expect(channel.send(request("initialize"))).rejects.toThrow(/HTTP 405/);
    expect(elsewhere.asked).toEqual([]);
  });
});

test("events of a stream, however it is cut", async () => {
  const text =
    "event: endpoint\r\ndata: /a\r\n\r\n: ping\n\nid: 1\ndata: one\ndata: two\n\nretry: 20\nretry: x\n\ndata:three";
  const bytes = Buffer.from(`${text}\n\n`);
  for (const size of [1, 7, bytes.length]) {
    const seen: StreamEvent[] = [];
    const chunks = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
    for await (const event of eventsOf(chunks)) if (event.kind !== "event" || event.data !== "") seen.push(event);
    expect(seen).toEqual([
      { kind: "event", name: "endpoint", data: "/a", lastId: null },
      { kind: "event", name: "message", data: "one\ntwo", lastId: "1" },
      { kind: "retry", ms: 20 },
      { kind: "event", name: "message", data: "three", lastId: "1" },
    ]);
  }
});
