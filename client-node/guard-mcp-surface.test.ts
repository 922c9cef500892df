import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, test } from "vitest";
import { BlockedError } from "./blocked-error.ts";
import { guardMcpSession } from "./guard-mcp-session.ts";
import { engineFor, scripted } from "./testing/asking.ts";
import { everyFeature, judging } from "./testing/scripted-daemon.ts";

// biome-ignore lint/suspicious/noExplicitAny: the types of two SDKs, which differ, and frames as the daemon received them
type Any = any;

const open: Any[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const info = { name: "test", version: "1.0.0" };
const echoServer = fileURLToPath(new URL("testing/mcp-echo-server.mjs", import.meta.url));

/** A guarded session whose server has a name, and all that the daemon was told. */
const guarded = async (sdk: 1 | 2, see: (surface: Any) => object = () => ({}), features = everyFeature) => {
  const surfaces: Any[] = [];
  const events: Any[] = [];
  const looking = (surface: Any): object => {
    surfaces.push(surface);
    return see(surface);
  };
  const judge = (event: Any): object => {
    events.push(event);
    return {};
  };
  const daemon = await scripted(judging(judge, features, looking));
  const client: Any = sdk === 1 ? new Client1(info) : new Client2(info);
  const log = join(mkdtempSync(join(tmpdir(), "il-")), "reached");
  const parameters = { command: process.execPath, args: [echoServer, log], stderr: "ignore" as const };
  guardMcpSession(client, { engine: engineFor(daemon.path), server: "echo", credential: "ann" });
  await client.connect(sdk === 1 ? new Stdio1(parameters) : new Stdio2(parameters));
  open.push(client);
  return { client, surfaces, events };
};

const names = ({ tools }: Any): string[] => tools.map(({ name }: Any) => name);
const held = (name: string): object => ({
  verdict: 2,
  modified_result: { held: [{ kind: "tool", name, action: "quarantine", reason: "it changed" }] },
});

for (const sdk of [1, 2] as const) {
  describe(`the client of SDK ${sdk}.x`, () => {
    test("reports all that the server lists before the first call, and names the server in each event", async () => {
      const { client, surfaces, events } = await guarded(sdk);
      await client.callTool({ name: "echo", arguments: { text: "hi" } });
      expect(surfaces).toHaveLength(1);
      const [surface] = surfaces;
      const credential = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
      expect(surface).toMatchObject({ server: "echo", credential });
      expect(names(surface)).toEqual(["echo", "fail", "weather", "grow"]);
      expect(surface.prompts[0].name).toBe("greet");
      expect(surface.resources[0].uri).toBe("note://one");
      expect(surface.resource_templates).toEqual([]);
      for (const event of events) expect(event).toMatchObject({ server: "echo", credential: surface.credential });
      await client.callTool({ name: "echo", arguments: { text: "again" } });
      expect(surfaces).toHaveLength(1);
    });

    test("reports again before the next call when the server says that its tools changed", async () => {
      const { client, surfaces } = await guarded(sdk);
      await client.callTool({ name: "grow", arguments: {} });
      await client.callTool({ name: "grown", arguments: {} });
      expect(names(surfaces.at(-1))).toContain("grown");
    });

    test("what is held is in no list", async () => {
      const { client } = await guarded(sdk, () => held("fail"));
      expect(names(await client.listTools())).toEqual(["echo", "weather", "grow"]);
      expect((await client.listPrompts()).prompts).toHaveLength(1);
    });

    test("of a refused server nothing is called or listed", async () => {
      const { client, events } = await guarded(sdk, () => ({ verdict: 1, reason: "removed" }));
      for (const asking of [
        client.callTool({ name: "echo", arguments: { text: "hi" } }),
        client.listTools(),
        client.readResource({ uri: "note://one" }),
        client.getPrompt({ name: "greet", arguments: { name: "Ada" } }),
      ]) {
        await expect(asking).rejects.toThrow(BlockedError);
      }
      expect(events).toEqual([]);
    });

    test("a daemon that keeps no surfaces judges without", async () => {
      const without = everyFeature.filter((name) => name !== "surface");
      const { client, surfaces, events } = await guarded(sdk, undefined, without);
      expect((await client.callTool({ name: "echo", arguments: { text: "hi" } })).content[0].text).toBe("hi");
      expect(names(await client.listTools())).toHaveLength(4);
      expect(surfaces).toEqual([]);
      for (const event of events) expect(event).not.toHaveProperty("server");
    });
  });
}

test("a server's name that is none is refused when the guard is made", () => {
  const engine = engineFor("/nowhere.sock");
  for (const options of [{ server: "" }, { server: 7 }, { server: "a", credential: "" }]) {
    expect(() => guardMcpSession(new Client1(info), { engine, ...options } as Any)).toThrow(TypeError);
  }
});
