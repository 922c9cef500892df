import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as Client2, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { BlockedError } from "./blocked-error.ts";
import { guardMcpSession } from "./guard-mcp-session.ts";
import type { GuardOptions } from "./guard-options.ts";
import { engineFor, scripted } from "./testing/asking.ts";
import { judging } from "./testing/scripted-daemon.ts";

// biome-ignore lint/suspicious/noExplicitAny: the types of two SDKs, which differ
type Method = (...args: any[]) => any;

/** What the two SDKs' clients have in common, as far as these tests use it. */
type Session = Record<"callTool" | "readResource" | "getPrompt" | "listTools" | "close", Method>;

const open: Session[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const info = { name: "test", version: "1.0.0" };
const echoServer = fileURLToPath(new URL("testing/mcp-echo-server.mjs", import.meta.url));
const filesystemServer = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
);

const connect = async (sdk: 1 | 2, args: string[]): Promise<Session> => {
  const parameters = { command: process.execPath, args, stderr: "ignore" } as const;
  const client = sdk === 1 ? new Client1(info) : new Client2(info);
  if (client instanceof Client1) await client.connect(new Stdio1(parameters));
  else await client.connect(new Stdio2(parameters));
  open.push(client as unknown as Session);
  return client as unknown as Session;
};

// biome-ignore lint/suspicious/noExplicitAny: an event as the daemon received it
type Event = any;

/** A guarded session whose daemon judges by `judge`, and what the daemon and the server have seen. */
const guarded = async (
  sdk: 1 | 2,
  judge: (event: Event) => object = () => ({}),
  options: Partial<GuardOptions> = {},
) => {
  const events: Event[] = [];
  const daemon = await scripted(
    judging((event) => {
      events.push(event);
      return judge(event);
    }),
  );
  const log = join(dirname(daemon.path), "reached");
  writeFileSync(log, "");
  const client = await connect(sdk, [echoServer, log]);
  guardMcpSession(client, { engine: engineFor(daemon.path), ...options });
  const reached = (): unknown[] =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { client, events, reached };
};

const blockCall = (event: Event): object => (event.phase === "call" ? { verdict: 1, reason: "no" } : {});
const onResult =
  (answer: object) =>
  (event: Event): object =>
    event.phase === "result" ? answer : {};

for (const sdk of [1, 2] as const) {
  describe(`the client of SDK ${sdk}.x, against a real server`, () => {
    test("a call and its result are put to the guard under one call id", async () => {
      const { client, events } = await guarded(sdk, undefined, { principal: "acme/agent42" });
      const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
      expect(result.content).toEqual([{ type: "text", text: "hi" }]);
      expect(events).toMatchObject([
        { action: "echo", args: { text: "hi" }, phase: "call", principal: "acme/agent42" },
        {
          action: "echo",
          args: { content: [{ type: "text", text: "hi" }] },
          phase: "result",
          principal: "acme/agent42",
        },
      ]);
      expect(events[0].call_id).toBe(events[1].call_id);
    });

    test("a blocked call never reaches the server", async () => {
      const { client, events, reached } = await guarded(sdk, blockCall);
      await expect(client.callTool({ name: "echo", arguments: { text: "hi" } })).rejects.toThrow(BlockedError);
      await expect(client.readResource({ uri: "note://one" })).rejects.toThrow(BlockedError);
      await expect(client.getPrompt({ name: "greet", arguments: { name: "Ada" } })).rejects.toThrow(BlockedError);
      expect(reached()).toEqual([]);
      expect(events.map(({ action, args }) => [action, args])).toEqual([
        ["echo", { text: "hi" }],
        ["mcp.read_resource", { uri: "note://one" }],
        ["mcp.get_prompt", { name: "greet", arguments: { name: "Ada" } }],
      ]);
    });

    test("a rewrite reaches the server, and _meta with it", async () => {
      const rewrite = (event: Event): object =>
        event.phase === "call" ? { verdict: 2, modified_args: { text: "safe" } } : {};
      const { client, reached } = await guarded(sdk, rewrite);
      const result = await client.callTool({
        name: "echo",
        arguments: { text: "rm -rf", n: 1 },
        _meta: { trace: "t1" },
      });
      expect(result.content[0].text).toBe("safe");
      expect(reached()).toMatchObject([{ echo: { text: "safe" }, meta: { trace: "t1" } }]);
      // `replace_args` was negotiated: the key that the rewrite left out is gone.
      expect(reached()[0]).not.toHaveProperty("echo.n");
    });

    test("rewrites of a resource's address and of a prompt's arguments reach the server", async () => {
      const rewrite = (event: Event): object => {
        if (event.phase === "result") return {};
        if (event.action === "mcp.read_resource") return { verdict: 2, modified_args: { uri: "note://one" } };
        return { verdict: 2, modified_args: { name: "greet", arguments: { name: "Bob" } } };
      };
      const { client, reached } = await guarded(sdk, rewrite);
      await client.readResource({ uri: "note://other" });
      await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      expect(reached()).toEqual(["note://one", { greet: "Bob" }]);
    });

    test("an error result is judged and delivered like any other", async () => {
      const { client, events } = await guarded(sdk);
      const result = await client.callTool({ name: "fail" });
      expect(result.isError).toBe(true);
      expect(events[0].args).toEqual({});
      expect(events[1].args).toMatchObject({ isError: true, content: [{ text: "it failed" }] });
    });

    test("a structured result goes to the guard whole, and its validation still happens", async () => {
      const { client, events } = await guarded(sdk);
      await client.listTools();
      const result = await client.callTool({ name: "weather", arguments: { city: "Bern" } });
      const structuredContent = { celsius: 21, notes: [{ text: "sunny in Bern" }] };
      expect(result.structuredContent).toEqual(structuredContent);
      expect(events.at(-1).args).toMatchObject({ content: [{ type: "text" }], structuredContent });
    });

    test("a blocked result is not delivered, a rewritten one is replaced", async () => {
      const blocked = await guarded(sdk, onResult({ verdict: 1, reason: "secret" }));
      await expect(blocked.client.callTool({ name: "echo", arguments: { text: "hi" } })).rejects.toThrow("secret");
      expect(blocked.reached().length).toBe(1);
      const content = [{ type: "text", text: "redacted" }];
      const replaced = await guarded(sdk, onResult({ verdict: 2, modified_result: { content } }));
      expect(await replaced.client.callTool({ name: "echo", arguments: { text: "hi" } })).toEqual({ content });
    });

    test("the listing of tools is judged as a result, and can be blocked", async () => {
      const { client, events } = await guarded(sdk);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }: { name: string }) => name)).toContain("weather");
      expect(events).toMatchObject([
        { action: "tools/list", phase: "result", args: { tools: [{ name: "echo" }, {}, {}, {}] } },
      ]);
      const blocked = await guarded(sdk, onResult({ verdict: 1, reason: "a tool changed" }));
      await expect(blocked.client.listTools()).rejects.toThrow("a tool changed");
    });

    test("resources and prompts come back as they were", async () => {
      const { client, events } = await guarded(sdk);
      expect((await client.readResource({ uri: "note://one" })).contents[0].text).toBe("a note");
      const prompt = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      expect(prompt.messages[0].content.text).toBe("Hello Ada");
      expect(events.map(({ action, phase }) => `${action} ${phase}`)).toEqual([
        "mcp.read_resource call",
        "mcp.read_resource result",
        "mcp.get_prompt call",
        "mcp.get_prompt result",
      ]);
    });

    test("a member that is undefined does not exist in JSON: it is neither judged nor sent", async () => {
      const { client, events, reached } = await guarded(sdk);
      await client.callTool({ name: "echo", arguments: { text: "hi", n: undefined } });
      expect(events[0].args).toEqual({ text: "hi" });
      expect(reached()).toMatchObject([{ echo: { text: "hi" } }]);
    });

    test("an escalated call runs once a human said yes, and not before", async () => {
      const escalate = (event: Event): object => (event.phase === "call" ? { verdict: 3, reason: "sure?" } : {});
      const no = await guarded(sdk, escalate, { onEscalate: () => false });
      await expect(no.client.callTool({ name: "echo", arguments: { text: "hi" } })).rejects.toThrow(
        "it was not approved",
      );
      expect(no.reached()).toEqual([]);
      const yes = await guarded(sdk, escalate, { onEscalate: ({ args }) => args.text === "hi" });
      await yes.client.callTool({ name: "echo", arguments: { text: "hi" } });
      expect(yes.reached().length).toBe(1);
    });

    test("further arguments reach the SDK: an aborted call is aborted", async () => {
      const { client } = await guarded(sdk);
      const options = { signal: AbortSignal.abort(new Error("stop")) };
      const rest = sdk === 1 ? [undefined, options] : [options];
      await expect(client.callTool({ name: "echo", arguments: { text: "hi" } }, ...rest)).rejects.toThrow();
    });

    test("names and lengths stay, guarding twice is guarding once, and a method without its object still works", async () => {
      const plain = await connect(sdk, [echoServer, join(mkdtempSync(join(tmpdir(), "il-")), "reached")]);
      const { client, events } = await guarded(sdk);
      for (const method of ["callTool", "readResource", "getPrompt", "listTools"] as const) {
        expect(client[method].name).toBe(plain[method].name);
        expect(client[method].length).toBe(plain[method].length);
        expect(Object.keys(client)).not.toContain(method);
      }
      const { callTool } = client;
      guardMcpSession(client, { engine: { evaluate: () => expect.unreachable() } });
      expect(client.callTool).toBe(callTool);
      await callTool({ name: "echo", arguments: { text: "hi" } });
      expect(events.length).toBe(2);
    });

    test("the official filesystem server, as a process of its own", async () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "il-fs-")));
      writeFileSync(join(root, "public.txt"), "public");
      writeFileSync(join(root, "secret.txt"), "secret");
      const daemon = await scripted(
        judging(({ action, args, phase }) => {
          if (phase === "result" || action !== "read_text_file" || !args.path.endsWith("secret.txt")) return {};
          return { verdict: 2, modified_args: { path: join(root, "public.txt") } };
        }),
      );
      const client = await connect(sdk, [filesystemServer, root]);
      guardMcpSession(client, { engine: engineFor(daemon.path) });
      expect((await client.listTools()).tools.length).toBeGreaterThan(5);
      const read = await client.callTool({ name: "read_text_file", arguments: { path: join(root, "secret.txt") } });
      expect(read.content[0].text).toBe("public");
    });
  });
}

test("in memory, where messages are not written out as JSON, both SDKs' ends meet", async () => {
  const server = new McpServer({ name: "memory", version: "1.0.0" });
  server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: undefined,
  }));
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  const client = new Client2(info);
  await client.connect(clientEnd);
  const daemon = await scripted(judging(() => ({})));
  guardMcpSession(client, { engine: engineFor(daemon.path) });
  expect((await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).content).toEqual([
    { type: "text", text: "3" },
  ]);
  await client.close();
});

test("what is no MCP client, and a call without a name, are refused", async () => {
  const engine = { evaluate: () => expect.unreachable() };
  expect(() => guardMcpSession({} as never, { engine })).toThrow("has no `callTool`");
  const client = guardMcpSession({ callTool: async (_params?: object) => expect.unreachable() }, { engine });
  await expect(client.callTool()).rejects.toThrow(BlockedError);
  await expect(client.callTool({ arguments: {} })).rejects.toThrow("without a name");
  await expect(client.callTool({ name: "a", arguments: [1] })).rejects.toThrow("not a plain object");
});
