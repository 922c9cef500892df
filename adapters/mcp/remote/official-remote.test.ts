import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { scripted } from "../../../client-node/testing/asking.ts";
import { judging } from "../../../client-node/testing/scripted-daemon.ts";
import { until } from "../../../test/kit/processes.ts";
import { program } from "../../../test/kit/programs.ts";
import { endAll, play, startMcp } from "../testing/host.ts";
import { everything } from "../testing/sessions.ts";

const servers = new Set<ChildProcess>();
afterEach(() => {
  endAll();
  for (const server of servers) server.kill("SIGKILL");
  servers.clear();
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
};

/** The everything server over HTTP, as its own command starts it. */
const served = async (transport: "streamableHttp" | "sse"): Promise<URL> => {
  const port = await freePort();
  const { server, env } = everything();
  const child = spawn(process.execPath, [server, transport], {
    env: { PATH: process.env.PATH, ...env, PORT: `${port}` },
    stdio: "ignore",
  });
  servers.add(child);
  const url = new URL(`http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`);
  await until("the server listens", async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await response.body?.cancel();
      return true;
    } catch {
      return false;
    }
  });
  return url;
};

/** What each transport of the server answers otherwise, whoever asks: its own environment. */
const steps = everything().steps.filter(([, params]) => (params as { name?: string } | undefined)?.name !== "get-env");

describe("a session of every method with a remote server is the one with the same server on this machine", () => {
  for (const transport of ["streamableHttp", "sse"] as const) {
    test(transport, async () => {
      const session = { ...everything(), steps };
      const bare = await play(startMcp([session.server, ...session.args], session.env), session);
      const daemon = await scripted(judging(() => ({})));
      const url = await served(transport);
      const args = [program("interlock"), "mcp", "--socket", daemon.path, "--url", url.href];
      const guarded = await play(startMcp(args), session);
      expect(guarded.answers).toEqual(bare.answers);
      expect(guarded.others).toEqual(bare.others);
    }, 60_000);
  }
});
