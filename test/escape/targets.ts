import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Nothing but this address stands for one that may not be reached, whatever the port. */
export const blockedAddress = "127.0.0.9";

/** Servers of one runner. Only one attack at a time uses them, so that who was reached is told by a count. */
export interface Targets {
  /** Listens on every address; no dial of it may succeed. */
  readonly blockedPort: number;
  /** Listens on 127.0.0.1, where it answers and redirects, and on the blocked address. */
  readonly openPort: number;
  /** How many connections and datagrams have reached what is blocked. */
  reached(): number;
  close(): void;
}

/** `GET /to?URL` redirects there; everything else is answered. */
const answer = ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
  if (url.startsWith("/to?")) response.writeHead(302, { location: decodeURIComponent(url.slice("/to?".length)) }).end();
  else response.end("answered");
};

const listening = async <S extends Server>(server: S, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

export const startTargets = async (): Promise<Targets> => {
  let reached = 0;
  const count = createHttpServer((_request, response) => response.end("reached"));
  const countToo = createHttpServer((_request, response) => response.end("reached"));
  for (const server of [count, countToo]) server.on("connection", () => reached++);
  const open = createHttpServer(answer);
  const blockedPort = await listening(count, 0, "::");
  const openPort = await listening(open, 0, "127.0.0.1");
  await listening(countToo, openPort, blockedAddress);
  const datagrams = createSocket("udp4", () => reached++).bind(blockedPort);
  await once(datagrams, "listening");
  return {
    blockedPort,
    openPort,
    reached: () => reached,
    close() {
      for (const server of [count, countToo, open]) {
        server.close();
        server.closeAllConnections();
      }
      datagrams.close();
    },
  };
};
