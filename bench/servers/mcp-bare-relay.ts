// The floor of the MCP proxy: the same transports with nothing in between. Usage: node mcp-bare-relay.mjs COMMAND ARGS...
import type { Channel, Incoming } from "../../adapters/mcp/relay/channel.ts";
import { LineChannel } from "../../adapters/mcp/stdio/line-channel.ts";
import { ServerProcess } from "../../adapters/mcp/stdio/server-process.ts";

const [command = "", ...args] = process.argv.slice(2);
const server = await ServerProcess.start(command, args, process.env);
const host = new LineChannel(process.stdin, process.stdout);

const pass = (to: Channel, closed: () => void) => ({
  received: async (incoming: Incoming) => {
    if (incoming.kind === "message") await to.send(incoming.message);
  },
  refused: async () => {},
  closed,
});
await server.open(pass(host, () => process.exit(0)));
await host.open(pass(server, () => void server.close()));
