// A server that speaks MCP by hand, so that it can do it wrong. What it does is its first argument.
import { createInterface } from "node:readline";

const [does, ...rest] = process.argv.slice(2);
const say = (message) =>
  process.stdout.write(`${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words) => ({ content: [{ type: "text", text: words }] });

if (does === "noisy") process.stderr.write(`${"n".repeat(256 * 1024)}\n`);
if (does === "flood") {
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(1000) } })}\n`;
  const flood = () => {
    while (process.stdout.write(line));
    process.stdout.once("drain", flood);
  };
  flood();
}
process.on("SIGTERM", () => does !== "stubborn" && process.exit(does === "signal" ? 7 : 0));

const onCall = {
  echo: ({ id, params }) => say({ id, result: text(JSON.stringify(params.arguments ?? null)) }),
  environment: ({ id }) =>
    say({ id, result: text(JSON.stringify({ env: process.env, umask: process.umask(), cwd: process.cwd() })) }),
  // 100 MiB in one line, written as the pipe takes it.
  long: async ({ id }) => {
    const piece = "x".repeat(1024 * 1024);
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
    for (let i = 0; i < 100; i++) {
      if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
    say('"}]}}');
  },
  big: ({ id, params }) => say({ id, result: text("All work and no play. ".repeat(params.arguments.bytes / 22)) }),
  exit: () => process.exit(Number(rest[0] ?? 3)),
  kill: () => process.kill(process.pid, "SIGKILL"),
};

const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "tools/call") void onCall[message.params.name](message);
  else if (message.method === "tools/list") {
    const tools = Object.keys(onCall).map((name) => ({ name, inputSchema: { type: "object" } }));
    // A cursor that leads nowhere.
    say({ id: message.id, result: { tools, ...(does === "loop" ? { nextCursor: "again" } : {}) } });
  } else if (message.method?.endsWith("/list")) say({ id: message.id, error: { code: -32601, message: "unknown" } });
  else if (message.id !== undefined && message.method !== undefined) say({ id: message.id, result: {} });
});
input.on("close", () => does !== "stubborn" && process.exit(Number(rest[0] ?? 0)));
if (does === "stubborn") setInterval(() => {}, 1000);
