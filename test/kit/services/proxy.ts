import { connect as connectTo, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** Stands between a client and a service, so that a test can take the service away without touching it. */
export interface ServiceProxy {
  /** The service's URL, by way of the proxy. */
  readonly url: string;
  /** Ends every connection and takes no new one, as a server that was killed. */
  cut(): Promise<void>;
  /** Takes connections again. */
  restore(): Promise<void>;
  /** Nothing passes from now on, in either direction, and nothing is closed: a network that swallows. `restore` ends it. */
  stall(): void;
  /**
   * Ends the connections as soon as `bytes` were sent to the service and before its answer has come back; once. Resolves
   * when it has happened. `reaches` says whether the service gets them.
   */
  cutAt(bytes: string, reaches: "service" | "nobody"): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly service: Socket;
}

const proxies: ServiceProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies.splice(0)) await proxy.cut();
});

/** @param url of a service that listens on TCP. */
export const startProxy = async (url: string): Promise<ServiceProxy> => {
  const target = new URL(url);
  const pairs = new Set<Pair>();
  let stalled = false;
  let trap: { readonly bytes: Buffer; readonly reaches: "service" | "nobody"; sprung(): void } | null = null;

  const drop = (doomed: readonly Pair[] = [...pairs]): void => {
    for (const pair of doomed) {
      pair.client.destroy();
      pair.service.destroy();
      pairs.delete(pair);
    }
  };

  const server = createServer((client) => {
    const service = connectTo(Number(target.port), target.hostname);
    const pair = { client, service };
    pairs.add(pair);
    let answered = true;
    const end = (): void => {
      client.destroy();
      service.destroy();
      pairs.delete(pair);
    };
    client.on("data", (chunk) => {
      if (stalled) return;
      if (trap?.bytes !== undefined && chunk.includes(trap.bytes)) {
        const { reaches, sprung } = trap;
        trap = null;
        // Not those that are made meanwhile, by whoever has noticed.
        const doomed = [...pairs];
        answered = false;
        client.destroy();
        if (reaches === "nobody") service.destroy();
        // What it has is carried out and answered to nobody; the answer tells when.
        else service.write(chunk);
        service.once(reaches === "nobody" ? "close" : "data", () => {
          drop(doomed);
          sprung();
        });
        return;
      }
      service.write(chunk);
    });
    service.on("data", (chunk) => {
      if (!stalled && answered) client.write(chunk);
    });
    for (const socket of [client, service]) socket.on("error", () => undefined);
    client.on("close", () => (answered ? end() : undefined));
    service.on("close", end);
  });

  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });

  const port = await listen(0);
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  const proxy: ServiceProxy = {
    url: through.href,
    cut: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        drop();
      }),
    restore: async () => {
      if (stalled) drop();
      stalled = false;
      if (!server.listening) await listen(port);
    },
    stall: () => {
      stalled = true;
    },
    cutAt: (bytes, reaches) =>
      new Promise((resolve) => {
        trap = { bytes: Buffer.from(bytes), reaches, sprung: resolve };
      }),
  };
  proxies.push(proxy);
  return proxy;
};
