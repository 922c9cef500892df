import type { RemoteEngineOptions } from "../../../client-node/engine-options.ts";
import { namedServer } from "../../../client-node/surface/surface-keeper.ts";
import { NotStarted } from "../stdio/server-process.ts";
import { GatewaySession } from "./session.ts";
import type { GatewaySettings } from "./settings.ts";

const maxSessions = 128;
/** A host that says nothing for so long has gone without a word. */
const idle_ms = 30 * 60 * 1000;
const sweepEvery_ms = 60 * 1000;

interface Entry {
  readonly server: string;
  readonly session: GatewaySession;
}

/** The sessions of all servers, by the id that the host was given: known for one server, it is nothing for another. */
export class Sessions {
  readonly #settings: GatewaySettings;
  readonly #socket: string;
  readonly #engine: RemoteEngineOptions;
  readonly #byId = new Map<string, Entry>();
  /** Being started, or not initialized yet. */
  readonly #starting = new Set<GatewaySession>();
  #underWay = 0;
  #isStopping = false;
  readonly #sweep: NodeJS.Timeout;

  constructor(settings: GatewaySettings, socket: string, engine: RemoteEngineOptions) {
    this.#settings = settings;
    this.#socket = socket;
    this.#engine = engine;
    this.#sweep = setInterval(() => this.#endIdle(), sweepEvery_ms);
    this.#sweep.unref();
  }

  find(server: string, id: string): GatewaySession | null {
    const entry = this.#byId.get(id);
    return entry?.server === server ? entry.session : null;
  }

  async begin(name: string): Promise<GatewaySession | "too_many_sessions" | "server_not_started" | "stopping"> {
    if (this.#isStopping) return "stopping";
    const server = this.#settings.servers.get(name);
    if (server === undefined || this.#byId.size + this.#starting.size + this.#underWay >= maxSessions)
      return "too_many_sessions";
    this.#underWay++;
    try {
      const session = await GatewaySession.start({
        socket: this.#socket,
        engine: this.#engine,
        named: namedServer(name, null),
        server,
        began: (id, begun) => {
          this.#starting.delete(begun);
          this.#byId.set(id, { server: name, session: begun });
        },
        ended: (over) => this.#forget(over),
      });
      if (this.#isStopping) {
        await session.end();
        return "stopping";
      }
      this.#starting.add(session);
      return session;
    } catch (error) {
      if (error instanceof NotStarted) return "server_not_started";
      throw error;
    } finally {
      this.#underWay--;
    }
  }

  async endAll(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweep);
    const all = [...this.#starting, ...[...this.#byId.values()].map(({ session }) => session)];
    await Promise.all(all.map((session) => session.end()));
  }

  #forget(over: GatewaySession): void {
    this.#starting.delete(over);
    for (const [id, { session }] of this.#byId) if (session === over) this.#byId.delete(id);
  }

  #endIdle(): void {
    const before_ms = performance.now() - idle_ms;
    for (const session of [...this.#starting, ...[...this.#byId.values()].map((entry) => entry.session)]) {
      if (session.usedAt_ms > before_ms || session.channel.openRequests > 0) continue;
      this.#forget(session);
      void session.end();
    }
  }
}
