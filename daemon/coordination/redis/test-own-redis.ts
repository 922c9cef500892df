import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll } from "vitest";
import {
  freePort,
  type OwnProcess,
  serverFolder,
  serverUser,
  startOwnProcess,
} from "../../../test/kit/services/own-server.ts";
import { programFolder, wantedRedis } from "../../../test/kit/services/programs.ts";

/** A Redis that a test may freeze and kill, since nobody else uses it. It keeps nothing on disk. */
export interface OwnRedis {
  readonly url: string;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** kill -9 */
  kill(): Promise<void>;
  /** Again, on the same port. */
  start(): Promise<void>;
}

const running = new Set<OwnProcess>();
afterAll(async () => {
  for (const server of running) await server.end();
});

export const startOwnRedis = async (): Promise<OwnRedis> => {
  const program = join(await programFolder(wantedRedis), "redis-server");
  const runAs = serverUser();
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: OwnProcess;
  let pid = 0;
  const start = async (): Promise<void> => {
    const folder = serverFolder(runAs);
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
    server = startOwnProcess(program, args, folder, runAs);
    running.add(server);
    const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 }).on("error", () => undefined);
    pid = Number(/^process_id:(\d+)/m.exec(await client.info("server"))?.[1]);
    client.disconnect();
  };
  await start();
  return {
    url,
    start,
    signal: (name) => void process.kill(pid, name),
    kill: async () => {
      process.kill(pid, "SIGKILL");
      await server.end();
      running.delete(server);
    },
  };
};
