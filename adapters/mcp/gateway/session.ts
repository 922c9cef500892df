import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { RemoteEngineOptions } from "../../../client-node/engine-options.ts";
import { RemoteEngine } from "../../../client-node/remote-engine.ts";
import type { ServerIdentity } from "../../../wire/server-identity.ts";
import type { NamedServer } from "../../../wire/surface-body.ts";
import { GuardJudge } from "../guard/guard-judge.ts";
import { commandIdentity, resolvedOnce, urlIdentity } from "../identity/server-identity.ts";
import type { Channel } from "../relay/channel.ts";
import { Notices } from "../relay/notices.ts";
import { Relay } from "../relay/relay.ts";
import { RemoteChannel } from "../remote/remote-channel.ts";
import { NotStarted, ServerProcess } from "../stdio/server-process.ts";
import { SessionChannel } from "./session-channel.ts";
import type { GatewayServer } from "./settings.ts";

export interface SessionTerms {
  readonly socket: string;
  readonly engine: RemoteEngineOptions;
  readonly named: NamedServer;
  readonly server: GatewayServer;
  /** Told the session's id once the host has initialized it. */
  readonly began: (id: string, session: GatewaySession) => void;
  readonly ended: (session: GatewaySession) => void;
}

/** The guarded server, and what it was resolved to. */
interface Upstream {
  readonly channel: Channel;
  readonly identity: () => Promise<ServerIdentity>;
}

/** Variables that programs need to run at all; whatever else a server gets is named in the settings. */
const basicVariables = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "SHELL", "TERM"];

/**
 * One host's session with one server: a process of its own, a connection to the daemon of its own (what it was shown is its own), and
 * the relay between them.
 */
export class GatewaySession {
  readonly transport: StreamableHTTPServerTransport;
  readonly channel: SessionChannel;
  readonly #upstream: Upstream;
  readonly #engine: RemoteEngine;
  readonly #notices: Notices;
  #isEnding = false;
  usedAt_ms = performance.now();

  /** @throws NotStarted */
  static async start(terms: SessionTerms): Promise<GatewaySession> {
    const session = new GatewaySession(terms, await upstreamOf(terms.server));
    await session.#relay(terms);
    return session;
  }

  private constructor({ socket, engine, began }: SessionTerms, upstream: Upstream) {
    this.#upstream = upstream;
    this.#engine = new RemoteEngine(socket, engine);
    this.#notices = new Notices((line) => process.stderr.write(line));
    this.transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => began(id, this),
    });
    this.channel = new SessionChannel(this.transport);
  }

  async #relay({ named, ended }: SessionTerms): Promise<void> {
    const { channel, identity } = this.#upstream;
    const judge = new GuardJudge({ named, engine: this.#engine, identity }, this.#notices);
    const relay = new Relay(this.channel, channel, judge, this.#notices);
    await relay.open();
    void Promise.race([relay.hostGone, relay.serverGone]).then(async () => {
      ended(this);
      await this.end();
    });
  }

  /** Has the host an id by which it finds this session? */
  get isInitialized(): boolean {
    return this.transport.sessionId !== undefined;
  }

  /** Ends the server and the host's streams; resolves when nothing of it is left. */
  async end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await this.#upstream.channel.close();
    await this.channel.close();
    await this.#engine.close();
    this.#notices.summary();
  }
}

/** @throws NotStarted */
const upstreamOf = async (server: GatewayServer): Promise<Upstream> => {
  if (server.kind === "http") {
    const token = server.bearerEnv === null ? undefined : process.env[server.bearerEnv];
    if (server.bearerEnv !== null && (token === undefined || token === ""))
      throw new NotStarted("the variable of bearer_env is not set");
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return { channel: new RemoteChannel(server.url, headers), identity: resolvedOnce(() => urlIdentity(server.url)) };
  }
  const { command, args, passEnv } = server;
  const env: NodeJS.ProcessEnv = {};
  for (const name of [...basicVariables, ...passEnv])
    if (process.env[name] !== undefined) env[name] = process.env[name];
  const channel = await ServerProcess.start(command, args, env);
  return { channel, identity: resolvedOnce(() => commandIdentity(command, args, env)) };
};
