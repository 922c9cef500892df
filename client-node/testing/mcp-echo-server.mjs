// A real MCP server over stdio: says back what it was called with, and keeps count in a file of what reached it.
import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const reached = (what) => appendFileSync(process.argv[2], `${JSON.stringify(what)}\n`);

const server = new McpServer({ name: "echo", version: "1.0.0" });
server.registerTool("echo", { inputSchema: { text: z.string(), n: z.number().optional() } }, (args, extra) => {
  reached({ echo: args, meta: extra._meta ?? null });
  return { content: [{ type: "text", text: args.text }] };
});
server.registerTool("fail", {}, () => {
  reached("fail");
  return { content: [{ type: "text", text: "it failed" }], isError: true };
});
server.registerTool(
  "weather",
  {
    inputSchema: { city: z.string() },
    outputSchema: { celsius: z.number(), notes: z.array(z.object({ text: z.string() })) },
  },
  ({ city }) => {
    const structuredContent = { celsius: 21, notes: [{ text: `sunny in ${city}` }] };
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  },
);
server.registerTool("grow", {}, () => {
  server.registerTool("grown", { description: "was not there before" }, () => ({ content: [] }));
  return { content: [] };
});
server.registerResource("note", "note://one", {}, (uri) => {
  reached(uri.href);
  return { contents: [{ uri: uri.href, text: "a note" }] };
});
server.registerPrompt("greet", { argsSchema: { name: z.string() } }, ({ name }) => {
  reached({ greet: name });
  return { messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }] };
});
await server.connect(new StdioServerTransport());
