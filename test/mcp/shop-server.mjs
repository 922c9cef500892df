// A server on the official SDK that lists and answers what `server.json` in its folder says at that moment, and writes down what it was
// asked: what ran is told by whoever ran it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const folder = process.argv[2];
const told = () => JSON.parse(readFileSync(join(folder, "server.json"), "utf8"));
const note = (line) => appendFileSync(join(folder, "asked"), `${line}\n`);
const state = join(folder, "state");
const balance = () => (existsSync(state) ? Number(readFileSync(state, "utf8")) : 100);

const server = new Server({ name: "shop", version: "1" }, { capabilities: { tools: { listChanged: true } } });

server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const page = Number(params?.cursor ?? 0);
  note(`list ${page}`);
  const { pages, ...more } = told().listing;
  return {
    tools: pages[page],
    ...(told().next?.[page] === undefined ? {} : { nextCursor: `${told().next[page]}` }),
    ...more,
  };
});

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  note(`call ${params.name}`);
  const {
    writes = 0,
    wait_ms = 0,
    announces = false,
    text,
    ...result
  } = told().answers?.[params.name] ?? { text: "done" };
  if (writes !== 0) writeFileSync(state, `${balance() + writes}`);
  if (announces) await server.sendToolListChanged();
  await new Promise((resolve) => setTimeout(resolve, wait_ms));
  const said = text === "state" ? JSON.stringify({ balance: balance(), fetched_at: Date.now() }) : text;
  return { content: [{ type: "text", text: said }], ...result };
});

await server.connect(new StdioServerTransport());
