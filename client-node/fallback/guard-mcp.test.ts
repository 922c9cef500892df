import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, expect, test } from "vitest";
import { guardMcpSession } from "../guard-mcp-session.ts";
import { engineFor } from "../testing/asking.ts";
import { FallbackFiles, policyOf } from "../testing/fallback-places.ts";
import { socketPath } from "../testing/scripted-daemon.ts";

const echoServer = fileURLToPath(new URL("../testing/mcp-echo-server.mjs", import.meta.url));
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

test("a guarded MCP session runs what the policy allows, against a real server, while no daemon is there", async () => {
  const hi = { text: { one_of: ["hi"] } };
  const files = new FallbackFiles(
    policyOf([
      { id: "hi", effect: "allow", actions: ["echo"], where: hi, only_arguments: ["text"] },
      { id: "back", effect: "allow", actions: ["echo"], phase: "result" },
      { id: "quiet", effect: "allow", actions: ["fail"] },
    ]),
  );
  const log = join(files.directory, "reached");
  writeFileSync(log, "");
  const client = new Client({ name: "test", version: "1.0.0" });
  open.push(client);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [echoServer, log], stderr: "ignore" }),
  );
  const engine = engineFor(socketPath(), files.options());
  guardMcpSession(client, { engine });
  const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
  expect(result.content).toEqual([{ type: "text", text: "hi" }]);
  await expect(client.callTool({ name: "echo", arguments: { text: "ho" } })).rejects.toThrow(/no rule allows it/);
  await expect(client.callTool({ name: "weather", arguments: { city: "Bern" } })).rejects.toThrow(/no rule allows it/);
  // It ran; no rule is of its result, which is withheld.
  await expect(client.callTool({ name: "fail" })).rejects.toThrow(/blocked by the fallback policy/);
  const reached = readFileSync(log, "utf8").trim().split("\n");
  expect(reached.map((line) => JSON.parse(line).echo?.text ?? JSON.parse(line))).toEqual(["hi", "fail"]);
});
