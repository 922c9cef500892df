import { chmodSync, lstatSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { Connection, type LineHandler } from "./connection.ts";
import { listenBacklog, maxConnections, sweepInterval_ms } from "./limits.ts";

/** The socket, served. */
export interface Listener {
  /** No further connection, no further line; resolves once what was taken is answered, or the time is up. */
  drain(timeout_ms: number): Promise<void>;
}

/** Who takes the lines of a socket's connections. */
export interface Desk extends LineHandler {
  readonly connections: Set<Connection>;
  /** One more was added. */
  onOpen?(): void;
  /** Set while the daemon is stopping: whoever comes is turned away. */
  draining: boolean;
  /** Called once a second with a clock that only rises. */
  sweep(now_ms: number): void;
}

export interface ListenOptions {
  /** More at once are turned away at accept. */
  readonly maxConnections: number;
  /** For the refusal: what to do where the path cannot be served. */
  readonly remedy: string;
}

const agents: ListenOptions = Object.freeze({ maxConnections, remedy: "choose another with --socket" });

const cannotServe = (path: string, remedy: string, error: unknown): Refusal =>
  new Refusal(
    (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? ExitCode.alreadyServed : ExitCode.cannotServe,
    `cannot serve ${path}: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}; ${remedy}`,
  );

/** Binds the path, makes the socket 0600, and serves. The directory is 0700 already, so nobody else sees the moment between. */
export const listen = (path: string, desk: Desk, options: ListenOptions = agents): Promise<Listener> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, desk);
    desk.connections.add(connection);
    desk.onOpen?.();
    if (desk.draining) connection.drain();
  });
  server.maxConnections = options.maxConnections;
  // By a clock that only rises: a changed time of day cuts nobody off, and lets nobody stay.
  const sweeper = setInterval(() => desk.sweep(performance.now()), sweepInterval_ms);
  sweeper.unref();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotServe(path, options.remedy, error)));
    server.listen({ path, backlog: listenBacklog }, () => {
      try {
        chmodSync(path, 0o600);
        if ((lstatSync(path).mode & 0o777) !== 0o600) throw Object.assign(new Error(), { code: "EPERM" });
      } catch (error) {
        server.close();
        reject(cannotServe(path, options.remedy, error));
        return;
      }
      resolve({ drain: (timeout_ms) => drain(server, desk, timeout_ms).finally(() => clearInterval(sweeper)) });
    });
  });
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const drain = async (server: Server, desk: Desk, timeout_ms: number): Promise<void> => {
  // Closing the server removes the socket's path, so it waits for the answers.
  const until_ms = performance.now() + timeout_ms;
  // Two turns: what the kernel already holds of requests is read before the lines are closed.
  await turn();
  await turn();
  desk.draining = true;
  for (const connection of desk.connections) connection.drain();
  while (desk.connections.size > 0 && performance.now() < until_ms)
    await new Promise((resolve) => setTimeout(resolve, 5));
  for (const connection of desk.connections) connection.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
};
