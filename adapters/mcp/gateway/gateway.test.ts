import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { scripted } from "../../../client-node/testing/asking.ts";
import { judging } from "../../../client-node/testing/scripted-daemon.ts";
import { until } from "../../../test/kit/processes.ts";
import type { Json } from "../testing/line-peer.ts";
import { type Gateway, GatewayRefused, readGatewaySettings, runGateway } from "./run-gateway.ts";

const module = (path: string): string => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));
const everything = [process.execPath, module("@modelcontextprotocol/server-everything/dist/index.js")];
const hostile = [process.execPath, fileURLToPath(new URL("../testing/hostile-server.mjs", import.meta.url)), "plain"];

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const settingsFile = (settings: object): string => {
  const file = join(mkdtempSync(join(tmpdir(), "il-gateway-")), "gateway.yaml");
  writeFileSync(file, JSON.stringify(settings));
  return file;
};

const started = async (settings: object = {}, judge: (event: Json) => object = () => ({})): Promise<Gateway> => {
  const daemon = await scripted(judging(judge));
  const servers = { every: { command: everything }, hostile: { command: hostile } };
  const file = settingsFile({ listen: "127.0.0.1:0", servers, ...settings });
  const gateway = await runGateway(readGatewaySettings(file), daemon.path, {});
  opened.push(gateway);
  return gateway;
};

const connected = async (url: string, headers: Record<string, string> = {}): Promise<Client> => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  opened.push(client);
  return client;
};

/** The command lines of the processes that this one started. */
const children = (): string =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter((pid) => pid !== "")
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"))
    .join("\n");

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const mcpHeaders = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { ...mcpHeaders, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("a host", () => {
  it("uses a server as it is, and what a rule blocks is an answer", async () => {
    const gateway = await started({}, ({ action }) =>
      action === "get-sum" ? { verdict: 1, reason: "no sums today", policy_id: "test.sums" } : {},
    );
    const client = await connected(`${gateway.url}/mcp/every`);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo");
    expect(await client.callTool({ name: "echo", arguments: { message: "hi" } })).toMatchObject({
      content: [{ type: "text", text: "Echo: hi" }],
    });
    expect(await client.callTool({ name: "get-sum", arguments: { a: 1, b: 2 } })).toMatchObject({
      isError: true,
      _meta: { "interlock/blocked": { rule: "test.sums" } },
    });
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  });

  it("hears of progress while its call runs", async () => {
    const gateway = await started();
    const client = await connected(`${gateway.url}/mcp/every`);
    const seen: number[] = [];
    const call = { name: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } };
    await client.callTool(call, undefined, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
  });

  it("has a server of its own, which ends with its session", async () => {
    const gateway = await started();
    const url = `${gateway.url}/mcp/hostile`;
    const begun = await post(url, initialize);
    const id = begun.headers.get("mcp-session-id") as string;
    expect(begun.status).toBe(200);
    await begun.text();
    const other = await post(url, initialize);
    expect(other.headers.get("mcp-session-id")).not.toBe(id);
    await other.text();
    expect(
      (await post(`${gateway.url}/mcp/every`, { jsonrpc: "2.0", id: 2, method: "ping" }, { "Mcp-Session-Id": id }))
        .status,
    ).toBe(404);
    expect((await fetch(url, { method: "DELETE", headers: { "Mcp-Session-Id": id } })).status).toBe(200);
    await until("the session is gone", async () => {
      const again = await post(url, { jsonrpc: "2.0", id: 3, method: "ping" }, { "Mcp-Session-Id": id });
      await again.text();
      return again.status === 404;
    });
  });

  it("reaches a server that is elsewhere", async () => {
    const inner = await started();
    const outer = await started({ servers: { far: { url: `${inner.url}/mcp/every` } } });
    const client = await connected(`${outer.url}/mcp/far`);
    expect(await client.callTool({ name: "echo", arguments: { message: "hi" } })).toMatchObject({
      content: [{ type: "text", text: "Echo: hi" }],
    });
  });

  it("has an answer where its server ends, and then no session", async () => {
    const gateway = await started();
    const url = `${gateway.url}/mcp/hostile`;
    const begun = await post(url, initialize);
    await begun.text();
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id") as string };
    const exit = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "exit", arguments: {} } };
    expect(await (await post(url, exit, session)).text()).toContain("the server ended before it answered");
    await until("the session is gone", async () => {
      const again = await post(url, { jsonrpc: "2.0", id: 3, method: "ping" }, session);
      await again.text();
      return again.status === 404;
    });
  });

  it("that cancels its calls has a session that goes on, and no stream that stays open", async () => {
    const gateway = await started();
    const url = `${gateway.url}/mcp/every`;
    const begun = await post(url, initialize);
    await begun.text();
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id") as string };
    const call = { name: "trigger-long-running-operation", arguments: { duration: 60, steps: 1 } };
    const cancelOne = async (id: number): Promise<string> => {
      const asked = await post(url, { jsonrpc: "2.0", id, method: "tools/call", params: call }, session);
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
      expect((await post(url, cancelled, session)).status).toBe(202);
      return asked.text();
    };
    const ids = Array.from({ length: 65 }, (_, at) => at + 2);
    for (const id of ids) expect(await cancelOne(id)).toBe("");
    const ping = await post(url, { jsonrpc: "2.0", id: 100, method: "ping" }, session);
    expect(ping.status).toBe(200);
    expect(await ping.text()).toContain('"result":{}');
  });

  it("that never gets a session leaves no server behind", async () => {
    const gateway = await started();
    const refused = await Promise.all(
      Array.from({ length: 3 }, () => post(`${gateway.url}/mcp/hostile`, initialize, { Accept: "application/json" })),
    );
    expect(refused.map(({ status }) => status)).toEqual([406, 406, 406]);
    await until("the servers have ended", () => !children().includes("hostile-server"));
  });

  it("is blocked where the daemon cannot be reached", async () => {
    const file = settingsFile({ listen: "127.0.0.1:0", servers: { every: { command: everything } } });
    const gateway = await runGateway(readGatewaySettings(file), "/nonexistent/guard.sock", { timeout: 1 });
    opened.push(gateway);
    const client = await connected(`${gateway.url}/mcp/every`).catch((error: unknown) => error);
    const outcome =
      client instanceof Client
        ? await client.callTool({ name: "echo", arguments: { message: "hi" } }).catch((error: unknown) => error)
        : client;
    expect(JSON.stringify(outcome instanceof Error ? outcome.message : outcome)).not.toContain("Echo: hi");
  });
});

describe("a request is refused", () => {
  const token = "a-token-of-more-than-16";
  const cases: readonly (readonly [string, number, (url: string) => Promise<Response>])[] = [
    ["for a server that is not served", 404, (url) => post(`${url}/mcp/nobody`, initialize)],
    ["for another path", 404, (url) => post(`${url}/mcp`, initialize)],
    ["with another method", 405, (url) => fetch(`${url}/mcp/every`, { method: "PUT", headers: bearer })],
    [
      "from a page of another origin",
      403,
      (url) => post(`${url}/mcp/every`, initialize, { Origin: "https://evil.example" }),
    ],
    [
      "from a page of another port",
      403,
      (url) => post(`${url}/mcp/every`, initialize, { Origin: "http://127.0.0.1:1" }),
    ],
    ["without the token", 401, (url) => post(`${url}/mcp/every`, initialize, { Authorization: "" })],
    [
      "with another token",
      401,
      (url) => post(`${url}/mcp/every`, initialize, { Authorization: "Bearer another-token-of-16" }),
    ],
    ["with a session that is none", 404, (url) => post(`${url}/mcp/every`, initialize, { "Mcp-Session-Id": "x" })],
    ["before it initialized", 400, (url) => post(`${url}/mcp/every`, { jsonrpc: "2.0", id: 1, method: "tools/list" })],
    [
      "for a stream without a session",
      400,
      (url) => fetch(`${url}/mcp/every`, { headers: { ...bearer, Accept: "text/event-stream" } }),
    ],
    ["that is no JSON", 400, (url) => post(`${url}/mcp/every`, "{")],
    [
      "that has a key twice",
      400,
      (url) => post(`${url}/mcp/every`, '{"jsonrpc":"2.0","id":1,"id":2,"method":"initialize"}'),
    ],
    ["that is too large", 413, (url) => post(`${url}/mcp/every`, `"${"x".repeat(9 * 1024 * 1024)}"`)],
  ];
  const bearer = { Authorization: `Bearer ${token}` };

  it.each(cases)("%s: %i", async (_, status, ask) => {
    const tokenFile = join(mkdtempSync(join(tmpdir(), "il-gateway-")), "token");
    writeFileSync(tokenFile, `${token}\n`);
    const gateway = await started({ token_file: tokenFile });
    const plain = globalThis.fetch;
    // The token, where a case says nothing of it.
    globalThis.fetch = (url, init) =>
      plain(url, { ...init, headers: { ...bearer, ...(init?.headers as Record<string, string>) } });
    const answer = await ask(gateway.url).finally(() => {
      globalThis.fetch = plain;
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status });
  });

  it("whose Host is a name that somebody points here", async () => {
    const gateway = await started();
    const { request } = await import("node:http");
    const status = await new Promise<number | undefined>((resolve) =>
      request(`${gateway.url}/mcp/every`, { headers: { Host: "rebound.evil.example" } }, ({ statusCode }) =>
        resolve(statusCode),
      ).end(),
    );
    expect(status).toBe(403);
  });
});

describe("settings are refused", () => {
  const servers = { every: { command: everything } };
  it.each<[string, object]>([
    ["that name no server", { servers: {} }],
    ["with a name that is no part of a path", { servers: { "a/b": { command: everything } } }],
    ["with a key that is none", { servers, listn: "127.0.0.1:0" }],
    ["that listen for everybody without a token", { servers, listen: "0.0.0.0:0" }],
    ["whose token's file is not there", { servers, token_file: "/nonexistent" }],
    ["with a port that is none", { servers, listen: "127.0.0.1:70000" }],
  ])("%s", (_, settings) => expect(() => readGatewaySettings(settingsFile(settings))).toThrow(GatewayRefused));
});
