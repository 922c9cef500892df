import type { RemoteEngineOptions } from "../../client-node/engine-options.ts";
import { RemoteEngine } from "../../client-node/remote-engine.ts";
import { namedServer } from "../../client-node/surface/surface-keeper.ts";
import type { ServerIdentity } from "../../wire/server-identity.ts";
import { GuardJudge } from "./guard/guard-judge.ts";
import type { GuardSettings } from "./guard/guard-settings.ts";
import { commandIdentity, resolvedOnce, urlIdentity } from "./identity/server-identity.ts";
import type { Channel } from "./relay/channel.ts";
import { Notices } from "./relay/notices.ts";
import { Relay } from "./relay/relay.ts";
import { RemoteChannel } from "./remote/remote-channel.ts";
import { LineChannel } from "./stdio/line-channel.ts";
import { type Exit, NotStarted, ServerProcess } from "./stdio/server-process.ts";

export { NotStarted, namedServer };

/** What `interlock mcp` is asked to do. */
export interface McpCommand {
  readonly socket: string;
  readonly engine: RemoteEngineOptions;
  readonly guard: Omit<GuardSettings, "engine" | "identity">;
  readonly target: Target;
}

/** The server that is guarded. */
export type Target =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** Variables that tell a client how to speak to the daemon; the server is no client, and the token is not its own. */
const ownVariables: readonly string[] = ["INTERLOCK_TOKEN", "INTERLOCK_TOKEN_FILE", "INTERLOCK_OPERATOR"];

/** How long requests that are under way may take to end when one side has gone. */
const lastRequests_ms = 10_000;

/**
 * Serves MCP on this process's standard streams in front of a server that it starts, or that is elsewhere, until either side is gone.
 * Resolves to how the server ended.
 *
 * @throws NotStarted
 */
export const runMcp = async ({ socket, engine: options, guard, target }: McpCommand): Promise<Exit> => {
  const engine = new RemoteEngine(socket, options);
  const server = await serverOf(target);
  const notices = new Notices((line) => process.stderr.write(line));
  const host = new LineChannel(process.stdin, process.stdout);
  const judge = new GuardJudge({ ...guard, engine, identity: identityOf(target) }, notices);
  const relay = new Relay(host, server, judge, notices);
  await relay.open();
  await Promise.race([relay.hostGone, relay.serverGone]);
  // What the host asked for before it went still reaches the server; a bare one would have read it.
  await within(lastRequests_ms, () => relay.open_requests.unsent === 0);
  await server.close();
  const exit = await server.exited;
  await within(lastRequests_ms, () => relay.open_requests.all === 0);
  server.stopPassing();
  await host.close();
  await engine.close();
  notices.summary();
  return exit;
};

const identityOf = (target: Target): (() => Promise<ServerIdentity>) => {
  const { env } = process;
  return resolvedOnce(() =>
    target.kind === "stdio" ? commandIdentity(target.command, target.args, env) : urlIdentity(target.url),
  );
};

type Served = Channel & { readonly exited: Promise<Exit>; readonly stopPassing: () => void };

const serverOf = async (target: Target): Promise<Served> => {
  if (target.kind === "stdio") {
    const server = await ServerProcess.start(target.command, target.args, serverEnvironment(process.env));
    return Object.assign(server, { stopPassing: passSignals((signal) => server.signal(signal)) });
  }
  const server = new RemoteChannel(target.url, target.headers);
  // There is no process that a signal could end: the session ends, and this one.
  const ended = Promise.resolve({ code: 0, signal: null });
  return Object.assign(server, { exited: ended, stopPassing: passSignals(() => process.stdin.destroy()) });
};

export const serverEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const passed = { ...env };
  for (const name of ownVariables) delete passed[name];
  return passed;
};

const passedSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const passSignals = (pass: (signal: NodeJS.Signals) => void): (() => void) => {
  for (const signal of passedSignals) process.on(signal, pass);
  return () => {
    for (const signal of passedSignals) process.off(signal, pass);
  };
};

const within = async (ms: number, holds: () => boolean): Promise<void> => {
  const last_ms = performance.now() + ms;
  while (!holds() && performance.now() < last_ms) await new Promise((resolve) => setTimeout(resolve, 5));
};
