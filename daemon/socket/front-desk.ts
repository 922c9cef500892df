import { WireError } from "../../wire/errors.ts";
import { commonFeatures, type FeatureSet, featureSet } from "../../wire/features.ts";
import { MAX_LINE } from "../../wire/limits.ts";
import { parseRequest, type Request } from "../../wire/request.ts";
import { errorFrame, healthAnswerFrame, helloAnswerFrame } from "../../wire/response.ts";
import type { BoundIdentity } from "../identity/bound-identity.ts";
import { TokenRefused } from "../identity/refused.ts";
import { daemonVersion } from "../version.ts";
import type { CommitGroup } from "./commit-group.ts";
import type { Connection, LineHandler } from "./connection.ts";
import { maxUnfinishedBytes, maxUnreadBytes } from "./limits.ts";
import { OfflineTelling } from "./offline-telling.ts";
import { orFailed } from "./or-failed.ts";
import type { Bench, QuestionDesk } from "./question-desk.ts";
import { Sessions } from "./session.ts";
import { SurfaceDesk } from "./surface-desk.ts";

/** What this daemon agrees to in a hello. */
export const daemonFeatures: FeatureSet = featureSet([
  "call_id",
  "details",
  "escalate",
  "escape",
  "grade",
  "offline",
  "replace_args",
  "replay",
  "resend",
  "scope",
  "surface",
]);

type Hello = Extract<Request, { kind: "hello" }>;

const tokenFailed = new TokenRefused("token_unchecked", "the token could not be looked at");

/** What `health` tells beside the rules in force. */
export interface Health {
  readonly started_ms: number;
  /** Receipts in the chain. */
  receipts(): number;
  reload: { readonly count: number; readonly ok: boolean; readonly message: string };
}

/** Takes each line of each peer to where it is answered. A line that cannot be read is answered with an error frame. */
export class FrontDesk implements LineHandler {
  readonly #bench: Bench;
  readonly #questions: QuestionDesk;
  readonly #group: CommitGroup;
  readonly #health: Health;
  readonly #telling: OfflineTelling;
  readonly #surfaces: SurfaceDesk;
  readonly #sessions = new Sessions();
  readonly connections = new Set<Connection>();
  /** The daemon is stopping: whoever comes now is turned away. */
  draining = false;
  #heldBytes = 0;
  readonly #waiting = new Set<Connection>();

  constructor(bench: Bench, questions: QuestionDesk, group: CommitGroup, health: Health) {
    this.#bench = bench;
    this.#questions = questions;
    this.#group = group;
    this.#telling = new OfflineTelling(bench, group);
    this.#surfaces = new SurfaceDesk(bench, group);
    this.#health = health;
    group.onRoom(() => this.#proceed());
  }

  onLine(connection: Connection, line: Uint8Array): void {
    let request: Request;
    try {
      request = parseRequest(line, connection.session.features);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#group.say(connection, errorFrame(error.id, error.code, error.message));
      // A hello whose token cannot be read: whoever showed it is not taken for one who showed none.
      if (error.code === "token_malformed") connection.drain();
      return;
    }
    switch (request.kind) {
      case "event":
        this.#questions.ask(connection, line, request.id, request);
        return;
      case "hello":
        this.#greet(connection, request);
        return;
      case "health":
        this.#group.say(connection, this.#healthFrame(request.id));
        return;
      case "outcome":
        this.#questions.outcome(connection, line, request.id, request.outcome);
        return;
      case "resume":
        this.#questions.resume(connection, line, request.id, request.resume);
        return;
      case "offline":
        this.#telling.tell(connection, request.id, request.offline);
        return;
      case "surface":
        this.#surfaces.report(connection, request.id, request.surface);
        return;
    }
  }

  /** Whoever holds most has to go, not whoever comes next: a peer with a small frame is never refused for others' large ones. */
  onHeldBytes(change: number): void {
    this.#heldBytes += change;
    while (change > 0 && this.#heldBytes > maxUnfinishedBytes) {
      const most = mostOf(this.connections, (connection) => connection.heldBytes);
      if (most === null) return;
      most.refuse("the daemon holds too many unfinished frames");
    }
  }

  /** Once a second: cuts off who is stuck, and who leaves most unread while all together leave too much. */
  sweep(now_ms: number): void {
    let unreadBytes = 0;
    for (const connection of this.connections) {
      connection.sweep(now_ms);
      unreadBytes += connection.unreadBytes;
    }
    while (unreadBytes > maxUnreadBytes) {
      const most = mostOf(this.connections, (connection) => connection.unreadBytes);
      if (most === null) return;
      unreadBytes -= most.unreadBytes;
      this.connections.delete(most);
      most.destroy();
    }
  }

  hasRoom(connection: Connection): boolean {
    if (this.#group.hasRoom) return true;
    this.#waiting.add(connection);
    return false;
  }

  onClose(connection: Connection): void {
    this.connections.delete(connection);
    this.#waiting.delete(connection);
  }

  wantsFlush(connection: Connection): void {
    this.#group.wantsFlush(connection);
  }

  /** In the order in which they had to wait; who finds no room again waits behind the others. */
  #proceed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const connection of waiting) connection.proceed();
  }

  /** Nothing that the peer sends behind its hello is taken before it is known whom the token binds it to. */
  #greet(connection: Connection, request: Hello): void {
    if (connection.framesSeen > 0) {
      this.#group.say(connection, errorFrame(request.id, "bad_request", "hello must be the first frame"));
      return;
    }
    connection.began();
    const { token } = request.hello;
    orFailed(
      () => (token === null ? null : this.#bench.identities.bind(token)),
      (bound) => {
        this.#group.say(connection, this.#welcome(connection, request, bound));
        connection.ended();
      },
      (error) => {
        const { code, message } = error instanceof TokenRefused ? error : tokenFailed;
        this.#group.say(connection, errorFrame(request.id, code, message));
        // Whoever showed a token that is none is not taken for one who showed none.
        connection.drain();
        connection.ended();
      },
    );
  }

  #welcome(connection: Connection, { id, hello }: Hello, bound: BoundIdentity | null): string {
    const features = commonFeatures(daemonFeatures, hello.features);
    connection.token = bound;
    connection.session = this.#sessions.join(
      {
        nonce: hello.nonce,
        features,
        scope: hello.scope,
        identity: bound?.principal ?? null,
        client: hello.client,
      },
      this.#bench.now_ms(),
      (key) => this.#bench.ledger.remembersSession(key),
    );
    const { loaded } = this.#bench.state.index;
    return helloAnswerFrame(id, {
      daemon: `interlock/${daemonVersion}`,
      features,
      max_frame: MAX_LINE,
      rules: loaded.digest,
      rules_version: loaded.version,
      mode: "enforce",
    });
  }

  #healthFrame(id: string): string {
    const { loaded } = this.#bench.state.index;
    const { started_ms, reload } = this.#health;
    return healthAnswerFrame(id, {
      status: this.draining ? "draining" : healthOf(this.#bench),
      rules: loaded.digest,
      rules_version: loaded.version,
      receipts: this.#health.receipts(),
      uptime_s: Math.floor((this.#bench.now_ms() - started_ms) / 1000),
      reload,
    });
  }
}

/** The one with the largest amount; null where nobody has any. */
const mostOf = (connections: Iterable<Connection>, amount: (connection: Connection) => number): Connection | null => {
  let most: Connection | null = null;
  for (const connection of connections) {
    if (amount(connection) > (most === null ? 0 : amount(most))) most = connection;
  }
  return most;
};

const healthOf = ({ stops, disabled }: Bench): "stopped" | "disabled" | "serving" =>
  stops.block !== null ? "stopped" : disabled ? "disabled" : "serving";
