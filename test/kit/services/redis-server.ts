import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort, type Server, serverFolder, serverUser, startOwnProcess, untilAnswers } from "./own-server.ts";
import { programFolder, wantedRedis } from "./programs.ts";

/** Asks without a client's library: one line there, one line back. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => done(false));
    socket.once("error", () => done(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    // Without a password the answer is an error, from a Redis that is up.
    socket.once("data", (bytes) => done(/^[+-]/.test(bytes.toString("latin1"))));
  });

/**
 * The Redis that tests use: the one that INTERLOCK_TEST_REDIS names, else a private one on the loopback, with a
 * password, that keeps nothing on disk.
 */
export const startRedis = async (): Promise<Server> => {
  const given = process.env.INTERLOCK_TEST_REDIS;
  if (given) return { url: given, end: async () => undefined };
  const programs = await programFolder(wantedRedis);
  const runAs = serverUser();
  const folder = serverFolder(runAs);
  const password = randomBytes(16).toString("hex");
  const port = await freePort();
  const settings = {
    bind: "127.0.0.1",
    port: String(port),
    requirepass: password,
    dir: folder,
    save: "",
    appendonly: "no",
    daemonize: "no",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = startOwnProcess(join(programs, "redis-server"), args, folder, runAs);
  await untilAnswers("Redis", server, () => answers(port));
  return { url: `redis://:${password}@127.0.0.1:${port}/0`, end: server.end };
};
