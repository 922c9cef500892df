import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { Server } from "./own-server.ts";
import { startPostgres } from "./postgres-server.ts";
import { startRedis } from "./redis-server.ts";

/** What a test file is told by the process that keeps the services, one line of JSON. */
export type Told = { readonly url: string } | { readonly error: string };

export type ServiceName = "postgres" | "redis";

declare module "vitest" {
  interface ProvidedContext {
    readonly serviceKeeper: string;
  }
}

const starts: Readonly<Record<ServiceName, () => Promise<Server>>> = { postgres: startPostgres, redis: startRedis };

/**
 * One PostgreSQL and one Redis for a whole run of the tests, each started when the first test file asks for it: a run
 * that needs none waits for none. Test files ask over a socket, because each is a process of its own.
 */
export default async function keepServices(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "interlock-keeper-"));
  const path = join(folder, "keeper.sock");
  const started = new Map<string, Promise<Server>>();
  const ask = async (name: string): Promise<Told> => {
    const start = Object.hasOwn(starts, name) ? starts[name as ServiceName] : null;
    if (start === null) return { error: `there is no service of the name ${JSON.stringify(name)}` };
    const server = started.get(name) ?? start();
    started.set(name, server);
    try {
      return { url: (await server).url };
    } catch (error) {
      return { error: error instanceof Error ? error.message : "it did not start" };
    }
  };
  const keeper = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      void ask(bytes.toString("utf8").trim()).then((told) => socket.end(`${JSON.stringify(told)}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => keeper.once("error", reject).listen(path, resolve));
  project.provide("serviceKeeper", path);
  return async () => {
    keeper.close();
    const settled = await Promise.allSettled(started.values());
    await Promise.all(settled.map((server) => (server.status === "fulfilled" ? server.value.end() : undefined)));
    rmSync(folder, { recursive: true, force: true });
  };
}
