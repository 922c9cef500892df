import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import { MAX_LINE } from "../../../wire/limits.ts";
import type { JsonValue } from "../../../wire/value.ts";
import { type ProblemType, refuse } from "./problem.ts";
import type { GatewaySession } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { type GatewaySettings, isLoopback } from "./settings.ts";

const path = /^\/mcp\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/?$/;
/** Requests of one session without an answer. */
const maxOpenRequests = 64;
const initialize = "initialize";

/**
 * One HTTP request, in the order in which it is refused: the path, the method, Host and Origin (DNS rebinding: a page of anybody's can send
 * here), the token, the session, the size, the JSON. What is left is MCP's.
 */
export class Front {
  readonly #settings: GatewaySettings;
  readonly #sessions: Sessions;
  readonly #token: Buffer | null;

  constructor(settings: GatewaySettings, sessions: Sessions) {
    this.#settings = settings;
    this.#sessions = sessions;
    this.#token = settings.token === null ? null : digest(settings.token);
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refused = await this.#take(request, response);
      if (refused !== null) refuse(response, refused);
    } catch {
      // The peer is gone, or the transport has answered already.
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<ProblemType | null> {
    const name = path.exec((request.url ?? "").split("?", 1)[0] ?? "")?.[1];
    if (name === undefined || !this.#settings.servers.has(name)) return "unknown_server";
    const { method } = request;
    if (method !== "POST" && method !== "GET" && method !== "DELETE") return "method_not_allowed";
    if (!this.#isOwnHost(request.headers.host)) return "host_not_allowed";
    if (!this.#isOwnOrigin(request.headers)) return "origin_not_allowed";
    if (!this.#isAuthenticated(request.headers.authorization)) return "not_authenticated";
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? this.#sessions.find(name, id) : null;
    if (id !== undefined && session === null) return "unknown_session";
    if (method !== "POST") return session === null ? "session_required" : this.#pass(session, request, response);
    const body = await bodyOf(request);
    if (body === null) return "body_too_large";
    const message = jsonOf(body);
    if (message === undefined) return "not_json";
    if (session !== null) {
      return session.channel.openRequests >= maxOpenRequests
        ? "too_many_requests"
        : this.#pass(session, request, response, message);
    }
    if (!isInitialize(message)) return "session_required";
    const begun = await this.#sessions.begin(name);
    if (typeof begun === "string") return begun;
    try {
      return await this.#pass(begun, request, response, message);
    } finally {
      // The transport refused it (another Accept, params that are none): nobody knows this session, and nobody will end it.
      if (!begun.isInitialized) await begun.end();
    }
  }

  async #pass(
    session: GatewaySession,
    request: IncomingMessage,
    response: ServerResponse,
    message?: JsonValue,
  ): Promise<null> {
    session.usedAt_ms = performance.now();
    await session.transport.handleRequest(request, response, message);
    return null;
  }

  #isOwnHost(header: string | undefined): boolean {
    if (header === undefined) return false;
    const named = header.toLowerCase();
    const { allowedHosts, address } = this.#settings;
    if (allowedHosts.has(named) || allowedHosts.has(withoutPort(named))) return true;
    const host = withoutPort(named).replace(/^\[|\]$/g, "");
    return isLoopback(address) ? isLoopback(host) : host === address;
  }

  /** Programs send none; browsers always do. A page of this very address is nobody else's: its Host has been looked at. */
  #isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
    return (
      origin === undefined ||
      this.#settings.allowedOrigins.has(origin) ||
      (isLoopback(this.#settings.address) && origin.toLowerCase() === `http://${host?.toLowerCase()}`)
    );
  }

  #isAuthenticated(header: string | undefined): boolean {
    if (this.#token === null) return true;
    const shown = /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(header ?? "")?.[1];
    return shown !== undefined && timingSafeEqual(digest(shown), this.#token);
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const withoutPort = (host: string): string => host.replace(/:[0-9]{1,5}$/, "");

/** Null where it is too large; nothing of it is kept then. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  if (Number(request.headers["content-length"] ?? 0) > MAX_LINE) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_LINE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const jsonOf = (body: Buffer): JsonValue | undefined => {
  try {
    return admit(body);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
};

const isInitialize = (message: JsonValue): boolean =>
  typeof message === "object" &&
  message !== null &&
  !Array.isArray(message) &&
  (message as { method?: unknown }).method === initialize;
