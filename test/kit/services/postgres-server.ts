import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort, type Server, serverFolder, serverUser, startOwnProcess, untilAnswers } from "./own-server.ts";
import { programFolder, wantedPostgres } from "./programs.ts";

const run = promisify(execFile);
const user = "interlock";

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/**
 * The PostgreSQL that tests use: the one that INTERLOCK_TEST_POSTGRES names (a URL of a user who may create databases),
 * else a private one on the loopback, with a password, in a folder of its own. It does not wait for the disk: tests kill
 * processes, never the machine.
 */
export const startPostgres = async (): Promise<Server> => {
  const given = process.env.INTERLOCK_TEST_POSTGRES;
  if (given) return { url: given, end: async () => undefined };
  const programs = await programFolder(wantedPostgres);
  const runAs = serverUser();
  const folder = serverFolder(runAs);
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs !== null) chownSync(passwordFile, runAs.uid, runAs.gid);
  const data = join(folder, "data");
  await run(
    join(programs, "initdb"),
    [
      ...["--pgdata", data, "--username", user, "--pwfile", passwordFile, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--locale", "C", "--no-sync"],
    ],
    { cwd: folder, ...(runAs ?? {}) },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 100,
    shared_buffers: "32MB",
    fsync: "off",
    full_page_writes: "off",
    log_min_messages: "fatal",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = startOwnProcess(join(programs, "postgres"), ["-D", data, ...args], folder, runAs);
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  await untilAnswers("PostgreSQL", server, () => answers(url));
  return { url, end: server.end };
};
