import { Socket } from "node:net";
import pg from "pg";
import { StoreFailed } from "../refused.ts";
import { mustEncrypt } from "./address.ts";
import { failureOf, serverAnswered } from "./failure.ts";

/** How long each thing may take before the call that waits for it is blocked. */
export const connectWithin_ms = 3_000;
export const lockWithin_ms = 2_000;
export const statementWithin_ms = 4_000;
/** For a network that swallows what is sent: longer than the server's own limits, so that those are seen first. */
export const answerWithin_ms = 5_000;
/** An open transaction whose daemon is gone holds locks that others wait for. */
const idleWithin_ms = 10_000;
/** While the server is away, a caller is told so at once, and it is tried again as often as this. */
export const retryAfter_ms = 250;

/** One statement, prepared once for each connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Answer {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number;
  readonly command: string;
}

/** Sends statements over one connection, one after the other. */
export interface Session {
  /** Throws StoreFailed. */
  query(statement: Statement | string, values?: readonly unknown[]): Promise<Answer>;
}

/** int8 as a number: milliseconds and sequence numbers, all far below 2^53. */
const int8 = 20;
const types = {
  getTypeParser: (type: number, format: "text" | "binary") =>
    type === int8 && format === "text" ? Number : pg.types.getTypeParser(type, format),
} as pg.CustomTypesConfig;

const settings = [
  `SET statement_timeout = ${statementWithin_ms}`,
  `SET lock_timeout = ${lockWithin_ms}`,
  `SET idle_in_transaction_session_timeout = ${idleWithin_ms}`,
  "SET search_path = pg_catalog",
  "SET client_min_messages = error",
  // A durable answer is one that is on the disk. A server that asks for more than that (its replicas) keeps its own word.
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')",
].join(";");

/**
 * One connection to the server, made when it is first needed and made again after it was lost. What was under way when
 * it was lost fails: whether the server carried it out, nobody knows until the store is read again.
 */
export class Connection {
  readonly #address: string;
  readonly #begin: (session: Session) => Promise<void>;
  #open: Promise<Opened> | null = null;
  #refusedUntil_ms = 0;
  #refusal = "";
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param begin what is to be done on every new connection before anything else. */
  constructor(address: string, begin: (session: Session) => Promise<void> = async () => undefined) {
    this.#address = address;
    this.#begin = begin;
  }

  /** Runs `work` when nobody else's is under way on this connection. Throws what it throws, and StoreFailed. */
  exclusively<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => work(await this.#opened()));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** One statement, in its turn. Throws StoreFailed. */
  query(statement: Statement | string, values: readonly unknown[] = []): Promise<Answer> {
    return this.exclusively((session) => session.query(statement, values));
  }

  /** Waits for what is under way, and ends the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    const opened = await this.#open?.catch(() => null);
    await opened?.end();
  }

  #opened(): Promise<Session> {
    if (this.#closed) return Promise.reject(new StoreFailed("the store is closed"));
    if (performance.now() < this.#refusedUntil_ms) return Promise.reject(new StoreFailed(this.#refusal));
    this.#open ??= this.#connect();
    return this.#open;
  }

  async #connect(): Promise<Opened> {
    const opened = new Opened(this.#address, () => {
      this.#open = null;
    });
    try {
      await opened.connect();
      await this.#begin(opened);
      return opened;
    } catch (error) {
      opened.drop();
      const failure = failureOf(error);
      this.#refusal = failure.message;
      this.#refusedUntil_ms = performance.now() + retryAfter_ms;
      throw failure;
    }
  }
}

/** A connection that stands, until it is lost. */
class Opened implements Session {
  readonly #client: pg.Client;
  readonly #socket = new Socket();
  readonly #lost: () => void;
  #isLost = false;

  constructor(address: string, lost: () => void) {
    this.#lost = lost;
    this.#client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: connectWithin_ms,
      query_timeout: answerWithin_ms,
      keepAlive: true,
      application_name: "interlock",
      // Ours, so that it can be dropped: the driver's own way of ending waits for a server that may be gone.
      stream: () => this.#socket,
      types,
      ...(mustEncrypt(address) ? { ssl: { rejectUnauthorized: true } } : {}),
    });
    this.#client.on("error", () => this.drop());
    this.#client.on("end", () => this.drop());
  }

  async connect(): Promise<void> {
    await this.#client.connect();
    await this.#client.query(settings);
  }

  async query(statement: Statement | string, values: readonly unknown[] = []): Promise<Answer> {
    if (this.#isLost) throw new StoreFailed("the connection to PostgreSQL was lost");
    try {
      const asked =
        typeof statement === "string" ? { text: statement } : { name: statement.name, text: statement.text };
      const { rows, rowCount, command } = await this.#client.query({ ...asked, values: [...values] });
      return { rows, rowCount: rowCount ?? 0, command };
    } catch (error) {
      if (!serverAnswered(error)) this.drop();
      throw failureOf(error);
    }
  }

  /** Ends it without a word. */
  drop(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#lost();
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    const patience = setTimeout(() => this.drop(), connectWithin_ms);
    await this.#client.end().catch(() => undefined);
    clearTimeout(patience);
    this.drop();
  }
}
