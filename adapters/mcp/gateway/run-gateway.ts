import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RemoteEngineOptions } from "../../../client-node/engine-options.ts";
import { Front } from "./front.ts";
import { Sessions } from "./sessions.ts";
import type { GatewaySettings } from "./settings.ts";

export { GatewayRefused, readGatewaySettings } from "./settings.ts";

/** How long the head of a request may take. */
const headers_ms = 10_000;

export interface Gateway {
  /** `http://127.0.0.1:7331` */
  readonly url: string;
  /** Resolves when every session, its server with it, has ended. */
  close(): Promise<void>;
}

/** Serves each server of the settings at `POST /mcp/{server}`. Rejects where the address cannot be listened on. */
export const runGateway = async (
  settings: GatewaySettings,
  socket: string,
  engine: RemoteEngineOptions,
): Promise<Gateway> => {
  const sessions = new Sessions(settings, socket, engine);
  const front = new Front(settings, sessions);
  const server = createServer({ headersTimeout: headers_ms, maxHeaderSize: 32 * 1024 }, (request, response) => {
    void front.handle(request, response);
  });
  server.listen(settings.port, settings.address);
  await once(server, "listening");
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sessions.endAll();
      server.closeAllConnections();
      await closed;
    },
  };
};
